/** Keys of `_meta` that have a meaning for the protocol. Junctor passes all other keys on unchanged. */
export const metaKeys = {
  progressToken: 'progressToken',
  relatedTask: 'io.modelcontextprotocol/related-task',
  /** W3C trace context, as in the headers of the same names. */
  traceparent: 'traceparent',
  tracestate: 'tracestate',
  baggage: 'baggage',
  /** The keys below belong to 2026-07-28, where each request carries the data of the former handshake. */
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const
