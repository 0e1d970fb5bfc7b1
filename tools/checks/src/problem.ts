/** One thing that is wrong, where it is, and what would be right. */
export interface Problem {
  readonly where: string
  readonly what: string
}

/** Prints what a check found and sets the exit code; the last line says how much was looked at. */
export function report(check: string, looked: string, problems: readonly Problem[]): void {
  for (const { where, what } of problems) console.error(`${where}: ${what}`)
  if (problems.length > 0) process.exitCode = 1
  console.log(`${check}: ${looked}, ${problems.length === 0 ? 'no problem' : `${problems.length} problems`}`)
}
