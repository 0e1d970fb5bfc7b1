import type { Fact } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import { knownReason } from '../events/known-reason.ts'
import { redactAndCut } from '../log/redact-and-cut.ts'
import { principalText } from './principal-text.ts'

type Entries = {
  readonly [Kind in Fact['kind']]?: (fact: Extract<Fact, { readonly kind: Kind }>) => JsonObject | undefined
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

/** Returns the audit entry of a fact, without its time; undefined when the fact is not audited. */
export function auditEntry(fact: Fact): JsonObject | undefined {
  return (entries[fact.kind] as ((fact: Fact) => JsonObject | undefined) | undefined)?.(fact)
}
