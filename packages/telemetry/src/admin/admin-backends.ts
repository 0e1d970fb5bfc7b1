import type { JsonValue } from '@junctor/jsonrpc'

/** The answer to a request for backends: a status, a body, and the revision that names the state in the body. */
export interface AdminReply {
  readonly status: number
  readonly body: object
  /** Sent as `ETag`. Absent: the body has no revision. */
  readonly revision?: number
}

/** What a change may expect of the backend before it, as HTTP's `If-Match` and `If-None-Match` say it. */
export type Precondition =
  | { readonly kind: 'none' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'present' }
  | { readonly kind: 'revision'; readonly revision: number }

/** What the admin port does with backends. The port has checked the token. No method rejects. */
export interface AdminBackends {
  /** All backends, those of the file included. */
  list(): Promise<AdminReply>
  /** One backend. 404: there is none of this name. */
  one(name: string): Promise<AdminReply>
  /** Adds or replaces a backend, which `entry` describes as the file would. */
  put(name: string, entry: JsonValue, precondition: Precondition): Promise<AdminReply>
  /** Removes a backend that is not in the file. 404: there is none of this name. */
  remove(name: string, precondition: Precondition): Promise<AdminReply>
}
