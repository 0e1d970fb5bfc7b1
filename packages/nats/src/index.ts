export { connectNats, type NatsOptions, type NatsTls } from './connect-nats.ts'
export { discoverService, type DiscoverableService, type ServiceStats } from './discover-service.ts'
export { keyOfPath, subjectPath, subjectToken, textOfToken } from './subject-token.ts'
export { type AllVerb, type NodeVerb, type Subjects, subjectsOf } from './subjects.ts'
