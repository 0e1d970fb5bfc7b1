import type { JobRecord } from './job-record.ts'
import type { Submission } from './submission.ts'

/** What became of a job that was to be run by the node that it came to. */
export type OwnStart =
  /** It is stored: this node runs it, or, where that was not possible after all, it is in the queue. */
  | { readonly kind: 'stored' }
  /** Nothing is stored. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Whether it is stored is not known. It is not run here. */
  | { readonly kind: 'unknown'; readonly error: unknown }

/** Who runs jobs at this node. */
export interface Starter {
  /** Whether one more job may be run here, at once. */
  readonly hasRoom: boolean
  /** Stores a job and runs it. Never rejects. */
  start(record: JobRecord, submission: Submission): Promise<OwnStart>
}

/** How jobs get from where they are handed in to where they are run, at the same node, without waiting in the queue. */
export interface OwnStarts {
  /** Undefined: there is nobody, or there is no room. */
  readonly starter: Starter | undefined
  /** From now on there is somebody. */
  serve(starter: Starter): void
}

export function createOwnStarts(): OwnStarts {
  let known: Starter | undefined
  return {
    get starter() {
      return known?.hasRoom === true ? known : undefined
    },
    serve: (starter) => void (known = starter),
  }
}
