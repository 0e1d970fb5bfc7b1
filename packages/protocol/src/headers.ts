/** HTTP header names that Junctor reads or writes, in lower case as Node provides them. */
export const headers = {
  accept: 'accept',
  authorization: 'authorization',
  /** The proof that the client has the key of its token (RFC 9449). */
  dpop: 'dpop',
  contentType: 'content-type',
  host: 'host',
  origin: 'origin',
  prefer: 'prefer',
  preferenceApplied: 'preference-applied',
  retryAfter: 'retry-after',
  /** What is left of a limit (draft-ietf-httpapi-ratelimit-headers). */
  rateLimit: 'ratelimit',
  /** The limit itself. */
  rateLimitPolicy: 'ratelimit-policy',
  wwwAuthenticate: 'www-authenticate',
  lastEventId: 'last-event-id',
  sessionId: 'mcp-session-id',
  protocolVersion: 'mcp-protocol-version',
  /** 2026-07-28: repeats the method of the body. */
  method: 'mcp-method',
  /** 2026-07-28: repeats the name or URI in the params of the body. */
  name: 'mcp-name',
  /** 2026-07-28: an argument that the tool's schema maps to a header; the parameter's name follows. */
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
