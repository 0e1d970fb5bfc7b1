import type { ReceivedRequest } from '../request/received-request.ts'

/** The handlers of an endpoint for admitted requests, by HTTP method. Every endpoint also has `OPTIONS`. */
export interface EndpointHandlers {
  /** Its methods, for `Allow` and for preflights. */
  readonly allowed: string
  readonly verbs: Readonly<Record<string, (call: ReceivedRequest) => void>>
}
