/** The line limit of a main.ts, which only starts what other files contain. */
const mostLines = 60

/** Checks the length of a main.ts. */
export function judgeMain(source: string): string[] {
  const lines = source.trimEnd().split('\n').length
  return lines < mostLines ? [] : [`has ${lines} lines; a main.ts has fewer than ${mostLines}`]
}
