import type { Control } from '@junctor/contracts'
import { isJsonObject } from '@junctor/jsonrpc'

/** The control messages that gateways send each other about jobs. */
export type JobControl =
  /** To the node that runs the job: it was cancelled. */
  | { readonly kind: 'job-cancel'; readonly key: string }
  /** To the node that stored the job: it has ended. */
  | { readonly kind: 'job-ended'; readonly key: string }

export function toJobControl({ kind, ...body }: JobControl): Control {
  return { kind, body }
}

/** Reads a control message from another node. `undefined`: it is not about jobs, or unknown to this version. */
export function readJobControl({ kind, body }: Control): JobControl | undefined {
  if (!isJsonObject(body) || (kind !== 'job-cancel' && kind !== 'job-ended')) return undefined
  const { key } = body
  return typeof key === 'string' ? { kind, key } : undefined
}
