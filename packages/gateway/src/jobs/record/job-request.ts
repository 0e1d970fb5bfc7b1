import { hash } from 'node:crypto'
import { type Dialect, payloadFromText, printPayload, type Request, type RequestId } from '@junctor/jsonrpc'

/** The request of a job. Payloads are stored as text. */
export type JobRequest = {
  /** JSON text. */
  readonly id: string
  readonly dialect: Dialect
  readonly method: string
  readonly params?: string
  readonly options?: string
}

/** The request in its stored form. */
export function toJobRequest({ id, dialect, method, params, options }: Request): JobRequest {
  return {
    id,
    dialect,
    method,
    ...(params !== undefined && { params: printPayload(params) }),
    ...(options !== undefined && { options: printPayload(options) }),
  }
}

/** The request from its stored form. */
export function requestOf({ id, dialect, method, params, options }: JobRequest): Request {
  return {
    kind: 'request',
    dialect,
    id: id as RequestId,
    method,
    params: params === undefined ? undefined : payloadFromText(params),
    ...(options !== undefined && { options: payloadFromText(options) }),
  }
}

/** A hash of the method and params: requests with the same key must have the same one. */
export function jobRequestDigest({ method, params }: JobRequest): string {
  return hash('sha256', JSON.stringify([method, params ?? null]), 'base64url')
}
