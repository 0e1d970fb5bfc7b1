/**
 * The gateway's own tools as `tools/list` shows them. They are literals, because a schema derived by a library differs
 * slightly from the document that defines them.
 */
export const gatewayStatusDefinition = {
  name: 'gateway_status',
  description: 'Get status of the gateway and all backends',
  inputSchema: { type: 'object', properties: {}, required: [] },
} as const

/** The tool `get_events`, as its document defines it. */
export const getEventsDefinition = {
  name: 'get_events',
  description: 'Query telemetry events from gateway event log',
  inputSchema: {
    type: 'object',
    properties: {
      trace_id: { type: 'string' },
      event_type: { type: 'string' },
      status: { type: 'string', enum: ['success', 'failure', 'pending'] },
      since: { type: 'string' },
      limit: { type: 'integer', default: 100 },
    },
    required: [],
  },
} as const
