/** What is checked, in this order. */
export type CheckName =
  | 'load'
  | 'options'
  | 'start'
  | 'behaviour'
  | 'output'
  | 'close'
  | 'types'
  | 'manifest'
  | 'packed'

/** One problem, and the remedy. */
export interface CheckProblem {
  readonly problem: string
  readonly next: string
}

/** The result of one check of a plugin: one line of the report. */
export interface CheckLine {
  readonly check: CheckName
  /** `warning`: it works, but is probably a mistake. `skipped`: something that the check needs is missing. */
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped'
  /** What was found, in a few words. */
  readonly about: string
  readonly problems: readonly CheckProblem[]
}

/** A check without problems. */
export function passed(check: CheckName, about: string): CheckLine {
  return { check, state: 'ok', about, problems: [] }
}

/** A check with one problem or more. */
export function failed(check: CheckName, about: string, ...problems: readonly CheckProblem[]): CheckLine {
  return { check, state: 'failed', about, problems }
}

/** A check that could not be made. */
export function skipped(check: CheckName, problem: string, next: string): CheckLine {
  return { check, state: 'skipped', about: problem, problems: [{ problem, next }] }
}
