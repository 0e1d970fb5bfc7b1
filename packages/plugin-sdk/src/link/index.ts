// What a link is, and what it receives.
export type {
  AccessTokens,
  Backend,
  CacheHints,
  Isolation,
  Link,
  ListKind,
  Scope,
  ServerInfo,
} from '@junctor/contracts'
export type {
  AskOptions,
  CallContext,
  Client,
  ClientDescription,
  EndListener,
  EndReason,
  Exchange,
  Loss,
  NotificationBody,
  Outcome,
  Progress,
  ToolCallOptions,
} from '@junctor/exchange'
export { isOfGateway } from '@junctor/exchange'

// Tools that pass their calls on.
export { isTooDeepAnswer, mostAnswerLevels } from '../answer-levels.ts'
export { CallFailed, type CallFailure } from '../call-failed.ts'

// How a plugin is defined, and what it receives.
export { definePlugin } from '../plugin.ts'
export { createCounter, type PluginCounter } from '../plugin-counter.ts'
export type { Plugin, PluginContext } from '../plugin.ts'
export type { Schema, SchemaInput, SchemaOutput } from '../schema/schema.ts'
export type { ZodSchema } from '../schema/zod-schema.ts'
export { bearerToken, sentHeaders } from '../sent-options.ts'
export {
  type GuardedChild,
  type ProcessGuard,
  type TelemetryEvent,
  type Log,
  silentLog,
  type Store,
  type Stored,
  type Emit,
  emitNothing,
} from '@junctor/contracts'

// Messages: a payload is relayed unchanged, and parsed only where it must be read.
export {
  type Answer,
  type Closed,
  createLineDecoder,
  createPeer,
  edit,
  exactly,
  isJsonObject,
  isRawNumber,
  items,
  type JsonObject,
  type JsonValue,
  member,
  memberOf,
  members,
  type Message,
  type Notification,
  parseExactly,
  parseFrame,
  parseJson,
  type Payload,
  payloadFromText,
  payloadOf,
  type Peer,
  type PeerHandler,
  Pending,
  printPayload,
  type Request,
  numberedId,
  requestId,
  type RequestId,
  requestIdValue,
  type Response,
  type ResponseListener,
  type WireError,
} from '@junctor/jsonrpc'
export type { Receiver, Transport } from '@junctor/contracts'

// MCP: names, revisions, errors.
export {
  anyArguments,
  clientCapabilitiesFor,
  type ClientRequest,
  declares,
  downgradeAnswer,
  elicitationModes,
  encodeHeaderText,
  type Era,
  eraOf,
  type ErrorDetails,
  headers,
  invalidResponse,
  isLogLevel,
  isMcpMethod,
  isRevision,
  JunctorError,
  latestHandshake,
  listChanged,
  type LocalCode,
  mcpExtensions,
  mcpProfile,
  metaKeys,
  methods,
  mirroredName,
  type ParameterHeader,
  parameterHeaderValues,
  readMountName,
  readParameterHeaders,
  readQuestions,
  relayedCapabilities,
  type Revision,
  type Situation,
  wireError,
} from '@junctor/protocol'

export { andThen, isMember, LinkedList, ListNode, type Members, settlesWithin } from '@junctor/primitives'
