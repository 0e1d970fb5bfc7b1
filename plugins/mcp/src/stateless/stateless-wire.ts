import type {
  Exchange,
  JsonObject,
  Loss,
  Notification,
  Payload,
  RequestId,
  Response,
  Situation,
} from '@junctor/plugin-sdk/link'

/** Why a request has no response. */
export interface WireFailure {
  readonly situation: Situation
  /** Replaces the message of the catalogue: what the client reads. */
  readonly message?: string
  /** Additional members of `data` for the client. */
  readonly data?: JsonObject
  /** What has failed, for the log: it may contain addresses. */
  readonly problem?: string
  /** How the way to the server was lost; `unsent`: it cannot be reached at all. Absent: the server has answered. */
  readonly loss?: Loss
  /** Whether the server may have refused the request because it does not speak this revision. */
  readonly mayBeOlder?: boolean
}

/** Receives what belongs to one request: notifications, then one response or failure. */
export interface RequestListener {
  /** The call for which it is sent. Absent: it is of the link itself. */
  readonly exchange?: Exchange | undefined
  notification(notification: Notification): void
  answered(response: Response): void
  failed(failure: WireFailure): void
}

/** A request of this side in flight. */
export interface SentRequest {
  readonly id: RequestId
  /** Cancels it at the server. Its listener is not called any more. */
  cancel(reason: string): void
}

/** How requests of 2026-07-28 reach a server: each by itself, over HTTP or on a connection. */
export interface StatelessWire {
  /** Whether notifications name their request by the stream that they come on. */
  readonly correlates: boolean
  /** Resolves when nothing can be sent any more. */
  readonly closed: Promise<Error | undefined>
  send(method: string, params: Payload, listener: RequestListener): SentRequest
  close(): Promise<void>
}
