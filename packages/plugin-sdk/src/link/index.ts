// What a link is, and what it is given.
export type { Backend, Isolation, Link, ListKind, Scope, ServerInfo } from '@junctor/contracts'
export type {
  Answer,
  AskOptions,
  CallContext,
  Client,
  ClientDescription,
  ClientRequest,
  EndListener,
  EndReason,
  Exchange,
  NotificationBody,
  Outcome,
  Progress,
} from '@junctor/exchange'

// Where its plugin is made, and what that is given.
export { definePlugin } from '../plugin.ts'
export type { GuardedChild, Plugin, PluginContext, ProcessGuard } from '../plugin.ts'
export type { Schema, SchemaInput, SchemaOutput } from '../schema/schema.ts'
export type { ZodSchema } from '../schema/zod-schema.ts'
export { type Fact, type Log, silentLog, type Store, type Stored, type Tell, tellNobody } from '@junctor/contracts'

// Messages: what passes through is relayed as it came, and read only where it has to be.
export {
  type Closed,
  createPeer,
  edit,
  isJsonObject,
  items,
  type JsonObject,
  type JsonValue,
  member,
  type Message,
  type Notification,
  parseFrame,
  type Payload,
  payloadFromText,
  payloadOf,
  type Peer,
  type PeerHandler,
  Pending,
  printPayload,
  type Request,
  requestId,
  type RequestId,
  requestIdValue,
  type Response,
  type ResponseListener,
  type WireError,
} from '@junctor/jsonrpc'
export type { Receiver, Transport } from '@junctor/contracts'

// What MCP is: names, revisions, errors.
export {
  clientCapabilitiesFor,
  declares,
  eraOf,
  type ErrorDetails,
  headers,
  isRevision,
  JunctorError,
  latestHandshake,
  type LocalCode,
  mcpProfile,
  metaKeys,
  methods,
  type Revision,
  type Situation,
  wireError,
} from '@junctor/protocol'

export { andThen, LinkedList, Place, within } from '@junctor/primitives'
