export { type ClientSubjects, clientSubjects } from './client-subjects.ts'
export { defaultClientLimits, defaultFrontLimits, type FrontLimits, type NatsLimits } from './options.ts'
export { createSdkClientTransport, type SdkClientTransportOptions } from './sdk/create-sdk-client-transport.ts'
export type { SdkTransport } from '@junctor/exchange'
