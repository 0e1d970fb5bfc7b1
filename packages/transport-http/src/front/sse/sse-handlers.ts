import type { EndpointHandlers } from '../methods/endpoint-handlers.ts'
import { openStream } from './open-stream.ts'
import { postMessage } from './post-message.ts'

/** HTTP+SSE of 2024-11-05, for clients without a newer transport: a GET for the stream, POSTs for all messages. */
export const sseHandlers: EndpointHandlers = {
  allowed: 'GET, POST, OPTIONS',
  verbs: { GET: openStream, POST: postMessage },
}
