import type { HttpCall } from './http-call.ts'

/** What an endpoint does with requests that are let in, by HTTP method. `OPTIONS` is every endpoint's. */
export interface Door {
  /** Its methods, for `Allow` and for preflights. */
  readonly allowed: string
  readonly verbs: Readonly<Record<string, (call: HttpCall) => void>>
}
