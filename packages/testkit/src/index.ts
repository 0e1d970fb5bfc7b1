export {
  openEvents,
  routes,
  type Script,
  type ScriptedEvent,
  type ScriptedRequest,
  type ScriptedServer,
  sendEvent,
  sendJson,
  startScriptedServer,
  statusOnly,
} from './scripted-server.ts'
export { type ChaosProxy, type ChaosProxyOptions, createChaosProxy, type Stream } from './chaos-proxy.ts'
export type { Toxics } from './toxics.ts'
export {
  listDescendants,
  listProcessesNaming,
  type NoDescendantsOptions,
  type ProcessInfo,
  untilGone,
  untilNoDescendants,
} from './descendants.ts'
export { describeTransport, type EchoedTransport } from './describe-transport.ts'
export { eventually } from './eventually.ts'
export { compiledOnce } from './compiled-once.ts'
export { junctorArgs, junctorProgram } from './junctor-program.ts'
export { programFile } from './program-file.ts'
export { workerProgram } from './worker-program.ts'
export { createWireRecorder, type WireFrame, type WireRecorder } from './wire-recorder.ts'
export { describeFabric } from './describe-fabric.ts'
export type { FabricPair } from './fabric/fabric-pair.ts'
export {
  createRequest,
  recordExchange,
  type RecordedExchange,
  type RecordedExchangeOptions,
} from './recorded-exchange.ts'
export { type BackendUnderTest, describeBackend, type OfferedTools } from './describe-backend.ts'
export { readEvents, type ServerEvent } from './read-events.ts'
export { replyIn } from './reply-in.ts'
export { recordClient, type RecordedClient, type RecordedClientOptions } from './recorded-client.ts'
export { findNatsServer } from './find-nats-server.ts'
export { findPython } from './find-python.ts'
export { expiredCertificate, renewedCredentials, testCredentials } from './test-credentials.ts'
export { type AlternatingProxy, startAlternatingProxy } from './alternating-proxy.ts'
export { freePort } from './free-port.ts'
export { type NatsServer, type NatsServerOptions, startNatsServer } from './start-nats-server.ts'
export { createSampleFront, type SampleFront } from './sample-front.ts'
export { type NatsCluster, type NatsClusterOptions, startNatsCluster } from './start-nats-cluster.ts'
export { type GuardedNatsServer, type GuardedUser, startGuardedNatsServer } from './start-guarded-nats-server.ts'
export { type ComponentCall, type ComponentOptions, startComponent, type TestComponent } from './start-component.ts'
export { OAuthMemory, redirectUrl } from './oauth-memory.ts'
export { PersonWithBrowser } from './person-with-browser.ts'
export { type LoginClient, officialClients } from './official-clients.ts'
