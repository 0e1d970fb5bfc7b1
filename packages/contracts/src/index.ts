export type { AccessTokens, TokenRefusal } from './access-tokens.ts'
export { type CallerToken, openCallerToken, sealCallerToken, tokenOwner, type TokenOwner } from './caller-token.ts'
export type { CacheHints, Backend, Isolation, Link, ListKind, Scope, ServerInfo } from './backend.ts'
export { type ErrorReporter, createErrorReporter } from './error-reporter.ts'
export type {
  CallFabric,
  CallTarget,
  Closer,
  Control,
  EntryLog,
  Fabric,
  Held,
  Lease,
  LogBounds,
  LogEntry,
  NodeChange,
  Queue,
  Seal,
  Store,
  Stored,
} from './fabric.ts'
export { isNotStored } from './is-not-stored.ts'
export type { FabricGauges, ForeignKind, StorageKind } from './fabric-gauges.ts'
export type {
  AccessEvent,
  ErrorOrigin,
  TelemetryEvent,
  LinkEvent,
  RequestEvent,
  RequestOutcome,
  SessionEvent,
  Emit,
  JobEventFields,
} from './telemetry-event.ts'
export { emitNothing } from './telemetry-event.ts'
export type { CredentialsListener, WatchCredentials } from './credentials-watch.ts'
export type { Challenge, Front, Origin, Refusal, RefusalTarget, Session } from './front.ts'
export type { Head } from './head.ts'
export type { Identity, Tenant } from './identity.ts'
export type { Log } from './log.ts'
export { silentLog } from './log.ts'
export { pacedOutages } from './paced-outages.ts'
export { createPacedWarning, type PacedWarning } from './paced-warning.ts'
export { isNodeName } from './node-name.ts'
export type { PostAddress, MessageEndpoints, PostResult } from './message-endpoints.ts'
export type { GuardedChild, ProcessGuard } from './process-guard.ts'
export { type DataSchema, readData, type ReadData, type UnreadableData } from './read-data.ts'
export { readJson } from './read-json.ts'
export { reasonWithCauses } from './reason-with-causes.ts'
export type { Receiver, Transport } from './transport.ts'
export { type UnreadableKind, unreadableKinds } from './unreadable-kind.ts'
export { createUnreadableReporter, type UnreadableReporter } from './unreadable-reporter.ts'
