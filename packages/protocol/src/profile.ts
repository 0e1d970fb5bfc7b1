import type { JsonObject, Payload, RequestId, WireError } from '@junctor/jsonrpc'
import type { Situation } from './errors/catalogue.ts'
import type { ErrorColumn } from './errors/error-row.ts'
import type { ErrorDetails } from './errors/error-details.ts'
import type { HttpShape } from './http-shape.ts'
import { methods } from './methods.ts'
import type { Revision } from './revision.ts'
import type { ListedKind } from './revisions/downgrade-list-item.ts'

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
  /** Whether a backend's prefix is its name, unless the configuration says otherwise. Else it is empty. */
  readonly prefixed: boolean
  /** Whether requests other than `initialize` are answered without a session. */
  readonly sessionless: boolean
  /** Whether `ping` is answered before `initialize`. */
  readonly earlyPing: boolean
  /** What ids of sessions begin with; the rest is random. */
  readonly sessionIds: string
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
  /** Whether clients are told that lists have changed. Else the first list is worth waiting for: nobody asks again. */
  readonly announcesLists: boolean
  /** Whether `initialize` says anything of backends. Else it does not wait for those that are starting. */
  readonly describesBackends: boolean
  /** Whether clients get what backends log (`notifications/message`). */
  readonly relaysLogs: boolean
  /** Whether clients are told of progress that they gave no token for. */
  readonly unaskedProgress: boolean
  /** Methods that clients may call beside those of MCP. */
  readonly methods: Readonly<Record<string, AddedMethod>>
  /** What becomes of items of lists; of a kind that is not here they stay as they are. */
  readonly items: Readonly<Partial<Record<ListedKind, (item: Payload) => Payload>>>
  /** What becomes of results, by method, whoever made them; a method that is not here keeps them as they are. */
  readonly results: Readonly<Record<string, ResultShape>>
  /** How it differs from Streamable HTTP. Absent: not at all. */
  readonly http?: HttpShape
  /** A backend's own error, as clients of this profile may see it. */
  passedError(error: WireError): WireError
}

/** A result as clients of a profile get it, made from one that the client's revision can carry. */
export type ResultShape = (result: Payload, when: ResultTime) => Payload

/** For whom and when a result is shaped. */
export interface ResultTime {
  readonly revision: Revision
  /** Epoch milliseconds. */
  readonly now: number
}

/** A method that a profile has beside those of MCP. */
export interface AddedMethod {
  /** Older revisions do not have it. */
  readonly first: Revision
  answer(asked: AddedRequest): AddedAnswer
}

/** A request for an added method, and what its tenant offers. */
export interface AddedRequest {
  readonly id: RequestId
  readonly params: Payload | undefined
  /** What the client sees under this name in its lists. */
  readonly offered: (kind: 'tools' | 'prompts', name: string) => JsonObject | undefined
}

export type AddedAnswer =
  | { readonly kind: 'complete'; readonly result: Payload }
  | { readonly kind: 'refused'; readonly situation: Situation; readonly details: ErrorDetails }

/** One text for each method that MCP has: that of a request would be one more object wherever something is kept of it. */
const knownMethods: ReadonlyMap<string, string> = new Map(Object.values(methods).map((method) => [method, method]))

/** The method that a client means by a name it uses: the profile's aliases, else the name itself. */
export function methodMeant(profile: Pick<Profile, 'aliases'>, name: string): string {
  const meant = (Object.hasOwn(profile.aliases, name) ? profile.aliases[name] : undefined) ?? name
  return knownMethods.get(meant) ?? meant
}
