import { isFinalState } from './final-states.ts'
import { grouped } from './grouped.ts'

/** One gateway's report on a job at the end. */
export interface JobReading {
  readonly job: string
  readonly gateway: string
  /** Its state, or the gateway's error. */
  readonly state: string
  /** Its outcome, as text. */
  readonly outcome: string
}

/** Checks that every promised job is over, and has the same result at every gateway. Returns the faults as texts. */
export function judgeJobs(readings: readonly JobReading[]): readonly string[] {
  const open = readings.filter(({ state }) => !isFinalState(state))
  const byJob = Map.groupBy(readings, ({ job }) => job)
  const split = [...byJob].filter(
    ([, reports]) => new Set(reports.map(({ state, outcome }) => `${state} ${outcome}`)).size > 1,
  )
  return [
    ...grouped('jobs that were promised are not over, or cannot be read', open, show),
    ...grouped('jobs look different from different gateways', split, ([, reports]) => reports.map(show).join(' | ')),
  ]
}

function show({ job, gateway, state, outcome }: JobReading): string {
  return `${job} at ${gateway}: ${state} ${outcome}`
}
