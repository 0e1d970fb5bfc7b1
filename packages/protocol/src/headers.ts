/** HTTP header names that Junctor reads or writes, in lower case as Node gives them. */
export const headers = {
  accept: 'accept',
  authorization: 'authorization',
  contentType: 'content-type',
  host: 'host',
  origin: 'origin',
  prefer: 'prefer',
  preferenceApplied: 'preference-applied',
  retryAfter: 'retry-after',
  wwwAuthenticate: 'www-authenticate',
  lastEventId: 'last-event-id',
  sessionId: 'mcp-session-id',
  protocolVersion: 'mcp-protocol-version',
  /** 2026-07-28: the body's method, repeated. */
  method: 'mcp-method',
  /** 2026-07-28: the name or URI in the body's params, repeated. */
  name: 'mcp-name',
  /** 2026-07-28: what a tool's schema lifts out of its arguments; the parameter's name follows. */
  parameterPrefix: 'mcp-param-',
  traceparent: 'traceparent',
  tracestate: 'tracestate',
  /** On the admin port: the nodes that were asked and did not answer. */
  silentNodes: 'junctor-silent-nodes',
} as const

/** Media types of bodies and streams, without parameters. */
export const mediaTypes = {
  json: 'application/json',
  eventStream: 'text/event-stream',
  ndjson: 'application/x-ndjson',
} as const
