/** A problem, its place, and the correct state. */
export interface Problem {
  readonly where: string
  readonly what: string
}

/** Prints the problems of a check and sets the exit code; the last line contains how much was checked. */
export function report(check: string, looked: string, problems: readonly Problem[]): void {
  for (const { where, what } of problems) console.error(`${where}: ${what}`)
  if (problems.length > 0) process.exitCode = 1
  console.log(`${check}: ${looked}, ${problems.length === 0 ? 'no problem' : `${problems.length} problems`}`)
}
