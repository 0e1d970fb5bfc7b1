export { type ClientSubjects, clientSubjects } from './client-subjects.ts'
export { defaultFrontLimits, type FrontLimits } from './options.ts'
export { createSdkClientTransport, type SdkClientTransportOptions } from './sdk/create-sdk-client-transport.ts'
export { type ChannelLimits, defaultClientChannelLimits, type SdkTransport } from '@junctor/connection'
