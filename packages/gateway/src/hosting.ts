// What connects two processes of one node: one holds links for the other.
export { nodeContext } from './nodes/node-context.ts'
export { nodeRequest } from './nodes/node-request.ts'
export { ownExchange } from './shared/own-exchange.ts'
export { afterFailure, type Attempts, noAttempts } from './upstream/links/backoff.ts'
export { hostBackend } from './upstream/remote/host-backend.ts'
export { remoteBackend } from './upstream/remote/remote-backend.ts'
export { jsonObjectSchema } from './shared/schemas.ts'
