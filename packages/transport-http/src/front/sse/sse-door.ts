import type { Door } from '../door.ts'
import { openStream } from './open-stream.ts'
import { postMessage } from './post-message.ts'
import type { SseConnections } from './sse-connection.ts'

/** HTTP+SSE of 2024-11-05, for clients that know nothing newer: a GET for the stream, POSTs for all that is said. */
export function createSseDoor(): Door {
  const connections: SseConnections = new Map()
  return {
    allowed: 'GET, POST, OPTIONS',
    verbs: {
      GET: (call) => openStream(call, connections),
      POST: (call) => postMessage(call, connections),
    },
  }
}
