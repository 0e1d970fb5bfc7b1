/** The line limit of a main.ts, which only starts what other files contain. */
const LIMIT = 60

/** Checks the length of a main.ts. */
export function judgeMain(source: string): string[] {
  const lines = source.trimEnd().split('\n').length
  return lines < LIMIT ? [] : [`has ${lines} lines; a main.ts has fewer than ${LIMIT}`]
}
