export type { Backend, Isolation, Link, ListKind, Scope, ServerInfo } from './backend.ts'
export { type Caught, createCaught } from './caught.ts'
export type {
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
  Store,
  Stored,
} from './fabric.ts'
export type { FabricReadings, ForeignKind, StorageKind } from './fabric-readings.ts'
export type {
  AccessFact,
  ErrorOrigin,
  Fact,
  LinkFact,
  RequestFact,
  RequestOutcome,
  SessionFact,
  Tell,
  ToldJob,
} from './fact.ts'
export { tellNobody } from './fact.ts'
export type { Challenge, Front, Origin, Refusal, Refusing, Session } from './front.ts'
export type { Head } from './head.ts'
export type { Identity, Tenant } from './identity.ts'
export type { Log } from './log.ts'
export { silentLog } from './log.ts'
export { isNodeName } from './node-name.ts'
export type { PostAddress, Postbox, Posted } from './postbox.ts'
export type { Receiver, Transport } from './transport.ts'
