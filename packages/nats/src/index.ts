export { type ConnectionChange, connectionChanges } from './connection-changes.ts'
export { connectNats, type NatsOptions } from './connect-nats.ts'
export { discoverService, type DiscoverableService, type ServiceStats } from './discover-service.ts'
export { headersOf } from './headers-of.ts'
export { LastingSubscription, type LastingSubscriptionOptions } from './lasting-subscription.ts'
export {
  type NatsCredentials,
  type NatsTls,
  type ReadNatsCredentials,
  readNatsCredentials,
} from './nats-credentials.ts'
export { keyOfPath, pathOfKey, subjectPath, subjectToken, textOfToken } from './subject-token.ts'
export { maxPayloadOf } from './max-payload-of.ts'
export { type AllVerb, type NodeVerb, type Subjects, subjectsOf } from './subjects.ts'
