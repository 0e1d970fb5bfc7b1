import type { Control } from '@junctor/contracts'
import { z } from 'zod'
import { type ReadControl, readControl } from '../../nodes/read-control.ts'

/** The control messages that gateways send each other about jobs. */
export type JobControl =
  /** To the node that runs the job: it was cancelled. */
  | { readonly kind: 'job-cancel'; readonly key: string }
  /** To the node that stored the job: it has ended. */
  | { readonly kind: 'job-ended'; readonly key: string }

/** The control message as it is sent. */
export function toJobControl({ kind, ...body }: JobControl): Control {
  return { kind, body }
}

const schema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('job-cancel'), key: z.string() }),
  z.object({ kind: z.literal('job-ended'), key: z.string() }),
])

/** Reads a control message from another node. `other`: it is not about jobs, or unknown to this version. */
export function readJobControl(control: Control): ReadControl<JobControl> {
  return readControl(schema, control)
}
