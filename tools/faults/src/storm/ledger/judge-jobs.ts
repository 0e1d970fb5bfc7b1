import { isFinalState } from './final-states.ts'
import { grouped } from './grouped.ts'

/** What one gateway says of a job when all is quiet. */
export interface JobReading {
  readonly job: string
  readonly gateway: string
  /** Its state, or what the gateway said instead. */
  readonly state: string
  /** What it came to, as text. */
  readonly outcome: string
}

/** Every job that was promised is over, and looks the same from everywhere. In words what is otherwise. */
export function judgeJobs(readings: readonly JobReading[]): readonly string[] {
  const open = readings.filter(({ state }) => !isFinalState(state))
  const byJob = Map.groupBy(readings, ({ job }) => job)
  const split = [...byJob].filter(
    ([, said]) => new Set(said.map(({ state, outcome }) => `${state} ${outcome}`)).size > 1,
  )
  return [
    ...grouped('jobs that were promised are not over, or cannot be read', open, show),
    ...grouped('jobs look different from different gateways', split, ([, said]) => said.map(show).join(' | ')),
  ]
}

function show({ job, gateway, state, outcome }: JobReading): string {
  return `${job} at ${gateway}: ${state} ${outcome}`
}
