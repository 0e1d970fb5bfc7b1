/** A main.ts only starts what other files hold: fewer lines than this. */
const LIMIT = 60

export function judgeMain(source: string): string[] {
  const lines = source.trimEnd().split('\n').length
  return lines < LIMIT ? [] : [`has ${lines} lines; a main.ts has fewer than ${LIMIT}`]
}
