export { defaultBackLimits, defaultFrontLimits, type FrontLimits, type WebSocketLimits } from './options.ts'
export { createSdkClientTransport, type SdkClientTransportOptions } from './sdk/create-sdk-client-transport.ts'
export type { SdkTransport } from '@junctor/connection'
export { serveSdk, type SdkServing, type SdkServingOptions } from './sdk/serve-sdk.ts'
