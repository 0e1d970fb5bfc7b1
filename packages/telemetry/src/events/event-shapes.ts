import type { LinkEvent, JobEventFields } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import type { EventStatus, EventType } from './event.ts'
import type { EventAudience } from './event-audience.ts'
import type { KeptEvent } from './kept-event.ts'
import { redactAndCut } from '../log/redact-and-cut.ts'
import { knownReason } from './known-reason.ts'

/** How a telemetry event is converted into an event of the log. */
interface EventShape<Kind extends KeptEvent> {
  readonly type: EventType
  status(event: Kind): EventStatus
  audience(event: Kind): EventAudience
  /**
   * Returns the event's own members: names, numbers and reasons. Never the caller.
   *
   * @param backends the backends of the tenant that reads the event; undefined when all may be shown
   */
  fields(event: Kind, backends: ReadonlySet<string> | undefined): JsonObject
}

/** The maximum length of a client's name, in characters. */
const mostClientName = 100
/** The maximum length of a method, in characters, because clients may send any text. */
const mostMethod = 100

const success = (): EventStatus => 'success'
const failure = (): EventStatus => 'failure'

const everybody = (): EventAudience => ({ kind: 'everybody' })
const itsTenant = ({ tenant }: { readonly tenant: string }): EventAudience => ({ kind: 'tenant', tenant })
/** A link without a tenant concerns all tenants that have its backend. */
const itsUsers = ({ tenant, backend }: LinkEvent & { readonly tenant: string }): EventAudience =>
  tenant === '' ? { kind: 'backend', backend } : { kind: 'tenant', tenant }

const shapes: { readonly [Kind in KeptEvent['kind']]?: EventShape<Extract<KeptEvent, { readonly kind: Kind }>> } = {
  // The document prints these two events without members of their own.
  node_started: { type: 'gateway.started', status: success, audience: everybody, fields: () => ({}) },
  node_stopped: { type: 'gateway.stopped', status: success, audience: everybody, fields: () => ({}) },
  config_reloaded: {
    type: 'gateway.reloaded',
    status: ({ result }) => result,
    audience: everybody,
    fields: ({ problems, backends }, visible) => ({
      problems,
      backends: visible === undefined ? backends : backends.filter((name) => visible.has(name)),
    }),
  },
  tool_call_started: {
    type: 'gateway.tool_call',
    status: () => 'pending',
    audience: itsTenant,
    fields: ({ tenant, backend, tool }) => ({ tenant, backend, tool }),
  },
  request_finished: {
    type: 'gateway.tool_call',
    status: ({ outcome }) => (outcome === 'success' ? 'success' : 'failure'),
    audience: itsTenant,
    fields: ({ tenant, backend, tool, durationMs, outcome, reason, code }) => ({
      tenant,
      backend,
      tool,
      duration_ms: rounded(durationMs),
      ...(outcome !== 'success' && { error: knownReason(reason) ?? outcome }),
      ...(code !== undefined && { error_code: code }),
    }),
  },
  call_retried: {
    type: 'gateway.call_retried',
    status: ({ result }) => (result === 'sent' ? 'pending' : 'failure'),
    audience: itsTenant,
    fields: ({ tenant, backend, tool, loss, result }) => ({
      tenant,
      backend,
      ...(tool !== undefined && { tool }),
      loss,
      result,
    }),
  },
  rate_exceeded: {
    type: 'gateway.rate_exceeded',
    status: failure,
    audience: itsTenant,
    fields: ({ tenant, scope, refusals }) => ({ tenant, limit: scope, ...(refusals !== undefined && { refusals }) }),
  },
  link_opened: {
    type: 'gateway.backend_started',
    status: success,
    audience: itsUsers,
    fields: ({ tenant, backend, again }) => ({ ...owner(tenant), backend, again }),
  },
  link_closed: {
    type: 'gateway.backend_stopped',
    status: success,
    audience: itsUsers,
    fields: ({ tenant, backend, reason }) => ({ ...owner(tenant), backend, reason }),
  },
  link_failed: {
    type: 'gateway.backend_failed',
    status: failure,
    audience: itsUsers,
    fields: ({ tenant, backend, phase, message, retryAfterMs }, visible) => ({
      ...owner(tenant),
      backend,
      phase,
      // The message may name paths, commands and addresses of this machine, which tenants must not see.
      ...(visible === undefined && { error: message }),
      retry_after_ms: retryAfterMs,
    }),
  },
  session_opened: {
    type: 'session.opened',
    status: success,
    audience: itsTenant,
    fields: ({ tenant, session, transport, revision, client }) => ({
      tenant,
      session,
      transport,
      revision,
      client: redactAndCut(client, mostClientName),
    }),
  },
  session_closed: {
    type: 'session.closed',
    status: success,
    audience: itsTenant,
    fields: ({ tenant, session, transport, reason, durationMs }) => ({
      tenant,
      session,
      transport,
      reason,
      duration_ms: rounded(durationMs),
    }),
  },
  job_submitted: { type: 'job.submitted', status: () => 'pending', audience: itsTenant, fields: jobFields },
  job_started: {
    type: 'job.started',
    status: () => 'pending',
    audience: itsTenant,
    fields: (event) => ({ ...jobFields(event), attempt: event.attempt }),
  },
  job_ended: {
    type: 'job.ended',
    status: ({ state }) => (state === 'succeeded' ? 'success' : 'failure'),
    audience: itsTenant,
    fields: (event) => ({ ...jobFields(event), state: event.state, duration_ms: rounded(event.durationMs) }),
  },
}

function jobFields({ tenant, job, purpose, method }: JobEventFields): JsonObject {
  return { tenant, job, purpose, method: redactAndCut(method, mostMethod) }
}

/**
 * Returns the shape that a telemetry event has in the event log; undefined when the log does not show it. The log shows
 * requests only when they call a tool, and refusals by a rate only when they have their number.
 */
export function eventShape(event: KeptEvent): EventShape<KeptEvent> | undefined {
  if (event.kind === 'request_finished' && event.tool === undefined) return undefined
  if (event.kind === 'rate_exceeded' && event.refusals === undefined) return undefined
  return shapes[event.kind]
}

/** Returns the tenant of a link; empty for a link of all tenants. */
function owner(tenant: string): JsonObject {
  return tenant === '' ? {} : { tenant }
}

/** Rounds to microseconds. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000
}
