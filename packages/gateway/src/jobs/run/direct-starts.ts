import type { JobRecord } from '../record/job-record.ts'
import type { Submission } from '../record/submission.ts'

/** The result of starting a job on the node that accepted it. */
export type StartResult =
  /** The job is stored: this node runs it, or it is in the queue. */
  | { readonly kind: 'stored' }
  /** Nothing is stored. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** It is unknown whether the job is stored. It is not run here. */
  | { readonly kind: 'unknown'; readonly error: unknown }

/** Runs jobs on this node. */
export interface Starter {
  /** Whether one more job may run here immediately. */
  readonly hasRoom: boolean
  /** Stores a job and runs it. Never rejects. */
  start(record: JobRecord, submission: Submission): Promise<StartResult>
}

/** Passes accepted jobs directly to the runner of the same node, without waiting in the queue. */
export interface DirectStarts {
  /** `undefined`: there is no starter, or it has no room. */
  readonly starter: Starter | undefined
  /** Sets the starter. */
  serve(starter: Starter): void
}

/** Creates the passage, without a starter: the runner sets it. */
export function createDirectStarts(): DirectStarts {
  let known: Starter | undefined
  return {
    get starter() {
      return known?.hasRoom === true ? known : undefined
    },
    serve: (starter) => void (known = starter),
  }
}
