import type { Payload, WireError } from '@junctor/jsonrpc'
import type { ErrorColumn } from './errors/error-row.ts'
import type { Revision } from './revision.ts'

/**
 * How the gateway, or one tenant of it, presents itself: tables and pure functions, one file for each profile in
 * `profiles/`. Nothing else in Junctor asks for a profile's name.
 */
export interface Profile {
  readonly name: string
  /** Revisions accepted in a handshake, newest first. The first is the answer to an unknown one. */
  readonly revisions: readonly Revision[]
  /** Stands between a backend's prefix and a name, unless the configuration says otherwise. */
  readonly separator: string
  /** Whether requests other than `initialize` are answered without a session. */
  readonly sessionless: boolean
  /** Where outcomes go unless a request asks otherwise. */
  readonly delivery: 'inline' | 'queued'
  /** The column of the error catalogue for handshake peers that speak JSON-RPC 2.0. */
  readonly errors: ErrorColumn
  /** Whether an error for an unreadable request says `"id": null`. Revision is undefined before negotiation. */
  nullId(revision: Revision | undefined): boolean
  /** Other names that clients use for methods: name received to method meant. */
  readonly aliases: Readonly<Record<string, string>>
  /** Whether clients see the gateway's own tools, unless the configuration says otherwise. */
  readonly gatewayTools: boolean
  /** Whether clients are told that lists have changed. */
  readonly announcesLists: boolean
  /** Whether clients get what backends log (`notifications/message`). */
  readonly relaysLogs: boolean
  /** What becomes of results, by method; a method that is not here keeps them as they are. */
  readonly results: Readonly<Record<string, (result: Payload) => Payload>>
  /** A backend's own error, as clients of this profile may see it. */
  passedError(error: WireError): WireError
}

/** The method that a client means by a name it uses: the profile's aliases, else the name itself. */
export function methodMeant(profile: Pick<Profile, 'aliases'>, name: string): string {
  return (Object.hasOwn(profile.aliases, name) ? profile.aliases[name] : undefined) ?? name
}
