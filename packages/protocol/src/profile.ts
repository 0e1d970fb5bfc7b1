import type { JsonObject, Payload, RequestId, WireError } from '@junctor/jsonrpc'
import type { Situation } from './errors/catalogue.ts'
import type { ErrorColumn } from './errors/error-row.ts'
import type { ErrorDetails } from './errors/error-details.ts'
import type { HttpShape } from './http-shape.ts'
import { methods } from './methods.ts'
import type { Revision } from './revision.ts'
import type { ListedKind } from './revisions/downgrade-list-item.ts'

/**
 * How the gateway, or one of its tenants, presents itself: tables and pure functions, one file for each profile in
 * `profiles/`. No other code in Junctor checks the name of a profile.
 */
export interface Profile {
  readonly name: string
  /** Revisions accepted in a handshake, newest first. An unknown revision is answered with the first one. */
  readonly revisions: readonly Revision[]
  /** Versions that are not revisions: a client that asks for one gets it back, and the rules of this revision. */
  readonly versions: Readonly<Record<string, Revision>>
  /**
   * Revisions without a handshake: each request names one (2026-07-28, Versioning). Newest first. Empty: requests without a
   * session are those of older revisions.
   */
  readonly stateless: readonly Revision[]
  /** The `serverInfo` of a gateway whose configuration names this profile and sets none. Absent: that of Junctor. */
  readonly server?: { readonly name: string; readonly version: string }
  /** The text between a backend's prefix and a name, unless the configuration sets it. */
  readonly separator: string
  /** Whether the default prefix of a backend is its name; else it is empty. The configuration may set a prefix. */
  readonly prefixed: boolean
  /** Whether requests other than `initialize` are answered without a session. */
  readonly sessionless: boolean
  /** Whether `ping` is answered before `initialize`. */
  readonly earlyPing: boolean
  /** The beginning of session ids; the rest is random. */
  readonly sessionIds: string
  /** Where outcomes are sent, unless a request asks otherwise. */
  readonly delivery: 'inline' | 'queued'
  /** The column of the error catalogue for handshake peers that speak JSON-RPC 2.0. */
  readonly errors: ErrorColumn
  /** Whether an error for an unreadable request has `"id": null`. The revision is undefined before negotiation. */
  nullId(revision: Revision | undefined): boolean
  /** Other names that clients use for methods, each with the canonical name of the method. */
  readonly aliases: Readonly<Record<string, string>>
  /** Whether clients see the gateway's own tools, unless the configuration says otherwise. */
  readonly gatewayTools: boolean
  /**
   * Whether clients are notified of list changes. If not, the first list waits for backends that are starting, because
   * clients will not ask again.
   */
  readonly announcesLists: boolean
  /** Whether the `initialize` result describes backends. If not, it does not wait for backends that are starting. */
  readonly describesBackends: boolean
  /** Whether clients receive the log messages of backends (`notifications/message`). */
  readonly relaysLogs: boolean
  /** Whether content types that the specification does not define stay as they are. Else they are embedded resources. */
  readonly customContent: boolean
  /**
   * Whether a client that does not name a type of stream in `Accept` gets one JSON text, however late it is. It gets a
   * stream only for what it asked for, such as progress.
   */
  readonly plainAnswers: boolean
  /** Whether a tool result with `isError` becomes an error of the protocol, `tool_failed`. */
  readonly failsAsError: boolean
  /** Whether clients are notified of progress for requests without a progress token. */
  readonly unaskedProgress: boolean
  /** Methods that clients may call in addition to those of MCP. */
  readonly methods: Readonly<Record<string, AddedMethod>>
  /** How list items are converted. Items of a kind that is not listed stay unchanged. */
  readonly items: Readonly<Partial<Record<ListedKind, (item: Payload) => Payload>>>
  /**
   * How results are converted, by method, for results of backends and of the gateway. Results of a method that is not
   * listed stay unchanged.
   */
  readonly results: Readonly<Record<string, ResultShape>>
  /** How the profile differs from Streamable HTTP. Absent: it does not differ. */
  readonly http?: HttpShape
  /** Converts a backend's own error for clients of this profile. */
  passedError(error: WireError): WireError
}

/** Converts a result for clients of a profile. The result already fits the client's revision. */
export type ResultShape = (result: Payload, when: ResultTime) => Payload

/** The revision and time for which a result is converted. */
export interface ResultTime {
  readonly revision: Revision
  /** Epoch milliseconds. */
  readonly now: number
}

/** A method that a profile offers in addition to those of MCP. */
export interface AddedMethod {
  /** The first revision that has the method. */
  readonly first: Revision
  /** Answers one request. */
  answer(asked: AddedRequest): AddedAnswer
}

/** A request for an added method, and access to the tenant's offers. */
export interface AddedRequest {
  readonly id: RequestId
  readonly params: Payload | undefined
  /** Returns the item that the client sees under this name in its lists. */
  readonly offered: (kind: 'tools' | 'prompts', name: string) => JsonObject | undefined
}

/** The answer to a method that a profile adds. */
export type AddedAnswer =
  | { readonly kind: 'complete'; readonly result: Payload }
  | { readonly kind: 'refused'; readonly situation: Situation; readonly details: ErrorDetails }

/**
 * One shared text for each method of MCP: keeping the text parsed from each request would keep one more object in
 * memory.
 */
const knownMethods: ReadonlyMap<string, string> = new Map(Object.values(methods).map((method) => [method, method]))

/** Returns the canonical method for a name that a client sent: by the profile's aliases, else the name itself. */
export function canonicalMethod(profile: Pick<Profile, 'aliases'>, name: string): string {
  const canonical = (Object.hasOwn(profile.aliases, name) ? profile.aliases[name] : undefined) ?? name
  return knownMethods.get(canonical) ?? canonical
}
