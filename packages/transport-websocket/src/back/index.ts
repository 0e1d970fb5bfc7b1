export { defaultBackLimits, type WebSocketLimits } from '../options.ts'
export { createWebSocketClient, type WebSocketClient, type WebSocketClientOptions } from './web-socket-client.ts'
