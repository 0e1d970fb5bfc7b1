import type { SseConnection } from './sse-connection.ts'

/** The open connections of one front, by their keys. */
export type SseConnections = Map<string, SseConnection>
