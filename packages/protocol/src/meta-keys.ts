/** Keys of `_meta` that carry a meaning for the protocol. All others pass through Junctor untouched. */
export const metaKeys = {
  progressToken: 'progressToken',
  relatedTask: 'io.modelcontextprotocol/related-task',
  /** W3C trace context, as in the headers of the same names. */
  traceparent: 'traceparent',
  tracestate: 'tracestate',
  baggage: 'baggage',
  /** From here on: 2026-07-28, where each request carries what the handshake used to settle. */
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const
