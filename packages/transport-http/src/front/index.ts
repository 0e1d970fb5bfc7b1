export { defaultHttpLimits, type HttpLimits } from '../options.ts'
export type { TlsCredentials } from './create-server.ts'
export { createHttpFront, type HttpFront, type HttpFrontOptions, type HttpListen } from './http-front.ts'
export { httpFrontPlugin, type HttpFrontPluginOptions } from './http-front-plugin.ts'
