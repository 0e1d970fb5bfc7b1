export { defaultFrontLimits, type FrontLimits, type WebSocketLimits } from '../options.ts'
export { createWebSocketFront, type WebSocketFront, type WebSocketFrontOptions } from './web-socket-front.ts'
