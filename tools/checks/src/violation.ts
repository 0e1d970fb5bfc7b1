/** A place where a rule of the repository is broken, and what is wrong there. */
export interface Violation {
  readonly where: string
  readonly what: string
}

/** Prints the violations of a check and sets the exit code; the last line contains how much was checked. */
export function report(check: string, checked: string, violations: readonly Violation[]): void {
  for (const { where, what } of violations) console.error(`${where}: ${what}`)
  if (violations.length > 0) process.exitCode = 1
  console.log(`${check}: ${checked}, ${violations.length === 0 ? 'no problem' : `${violations.length} problems`}`)
}
