import type { TelemetryEvent } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import { knownReason } from '../events/known-reason.ts'
import { redactAndCut } from '../log/redact-and-cut.ts'
import { principalText } from './principal-text.ts'

type Entries = {
  readonly [Kind in TelemetryEvent['kind']]?: (
    event: Extract<TelemetryEvent, { readonly kind: Kind }>,
  ) => JsonObject | undefined
}

/** The maximum length of a client's name, in characters. */
const mostClientName = 100

const entries: Entries = {
  session_opened: ({ kind, tenant, principal, session, transport, revision, client }) => ({
    action: kind,
    tenant,
    principal: principalText(principal),
    session,
    transport,
    revision,
    client: redactAndCut(client, mostClientName),
  }),
  session_closed: ({ kind, tenant, session, transport, reason, durationMs }) => ({
    action: kind,
    tenant,
    session,
    transport,
    reason,
    duration_ms: Math.round(durationMs),
  }),
  backend_managed: ({ kind, change, backend, tenants }) => ({ action: kind, change, backend, tenants: [...tenants] }),
  access_refused: ({ kind, tenant, transport, reason }) => ({ action: kind, tenant, transport, reason }),
  request_finished: ({ tenant, principal, backend, tool, outcome, code, reason, trace, durationMs }) =>
    tool === undefined
      ? undefined
      : {
          action: 'tool_call',
          tenant,
          principal: principalText(principal),
          backend,
          tool,
          outcome,
          code,
          reason: knownReason(reason),
          trace_id: trace,
          duration_ms: Math.round(durationMs),
        },
}

/** Returns the audit entry of an event, without its time; undefined when the event is not audited. */
export function auditEntry(event: TelemetryEvent): JsonObject | undefined {
  return (entries[event.kind] as ((event: TelemetryEvent) => JsonObject | undefined) | undefined)?.(event)
}
