export { isLoopbackAddress, isLoopbackHost } from './admission-authority.ts'
export {
  type Accepted,
  judgeContentEncoding,
  judgeContentType,
  judgeEventStream,
  judgeGet,
  judgePostAccept,
  judgeRevisionHeader,
  prefersNdjson,
  readAccept,
  takesStreamOnly,
  type RevisionVerdict,
} from './admission-headers.ts'
export { judgeTarget, type RequestTarget } from './admission-target.ts'
export { type AdmissionRefusal, type AdmissionVerdict } from './admission-verdict.ts'
export { type Admission, type AdmissionOptions, createAdmission } from './admission.ts'
export { andThen } from './and-then.ts'
export { atTime } from './at-time.ts'
export type { AskOptions } from './ask-options.ts'
export type { Backend, Isolation, Link, ListKind, Scope, ServerInfo } from './backend.ts'
export { type ChannelLimits, defaultChannelLimits, defaultClientChannelLimits } from './connection/channel-limits.ts'
export { ChannelSdkTransport } from './connection/channel-sdk-transport.ts'
export { ClientConnection, type ClientConnectionParts } from './connection/client-connection.ts'
export { isAnswered, notificationOf } from './connection/is-answered.ts'
export { judgeBatch } from './connection/judge-batch.ts'
export { PeerWatch, type PeerWatchOptions } from './connection/peer-watch.ts'
export {
  type Goodbye,
  ServedConnection,
  type ServedConnectionParts,
  type TextChannel,
} from './connection/served-connection.ts'
export type { SdkTransport } from './connection/sdk-transport.ts'
export type { SideStream } from './connection/round-sink.ts'
export { within } from './connection/within.ts'
export { type Caught, createCaught } from './caught.ts'
export type { CallContext, ClientDescription, Principal } from './context.ts'
export { createRenderer } from './create-renderer.ts'
export { type EndListeners, tellEnd, withListener } from './end-listeners.ts'
export { endSituations } from './end-situations.ts'
export type { Ack, AskEvent, ExchangeEvent, LastEvent, NotificationBody, OrdinaryEvent, Progress } from './event.ts'
export type { Client, EndListener, Exchange, OpenExchange } from './exchange.ts'
export type {
  AccessFact,
  ErrorOrigin,
  Fact,
  JobFact,
  LinkFact,
  NodeFact,
  RequestFact,
  RequestOutcome,
  SessionFact,
  StreamFact,
  Tell,
  ToldJob,
  ToolCall,
} from './fact.ts'
export { tellNobody } from './fact.ts'
export type {
  CallTarget,
  Closer,
  Control,
  EntryLog,
  Fabric,
  Lease,
  LogBounds,
  LogEntry,
  NodeChange,
  Queue,
  Store,
  Stored,
} from './fabric.ts'
export type { FabricReadings, ForeignKind, StorageKind } from './fabric-readings.ts'
export type { PostAddress, Postbox, Posted } from './postbox.ts'
export { createPostbox } from './postbox.ts'
export type { Challenge, Front, Origin, Refusal, Refusing, Session } from './front.ts'
export type { Head } from './head.ts'
export type { Identity, Tenant } from './identity.ts'
export { finalOutcome, type FinalOutcome } from './final-outcome.ts'
export { GatheredChunks, gatheredLimit } from './gathered-chunks.ts'
export type { Handler, Interceptor } from './handler.ts'
export { compose } from './handler.ts'
export type { Host } from './host.ts'
export { mostKeptChunks } from './kept-events.ts'
export { LinkedList, Place } from './linked-list.ts'
export type { Log } from './log.ts'
export { silentLog } from './log.ts'
export type { Answer, ClientRequest, EndReason, InputRequests, Outcome, TaskInfo } from './outcome.ts'
export { createExchange, type ExchangeInit } from './open-exchange.ts'
export type { Outlet } from './outlet.ts'
export { relay, relayView } from './relay.ts'
export type { Frame, Renderer } from './renderer.ts'
export type { Diversion, Sink, SinkOwner } from './sink.ts'
export type { Receiver, Transport } from './transport.ts'
export type { Delivery, ProgressToken, View } from './view.ts'
export { printable, printableLines } from './printable.ts'
export { createRedaction, type Redact } from './redaction.ts'
export { redactedLog } from './redacted-log.ts'
export {
  createStreamShares,
  shareOf,
  type StreamShareLimits,
  type StreamShares,
  streamSharesOf,
} from './stream-shares.ts'
export type { Workplace } from './workplace.ts'
