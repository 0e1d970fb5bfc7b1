export { defaultBackLimits, type WebSocketLimits } from '../options.ts'
export { createWebSocketClient, type WebSocketClient } from './web-socket-client.ts'
export type { WebSocketClientOptions } from './web-socket-client-options.ts'
