import { type TelemetryEvent, unreadableKinds } from '@junctor/contracts'
import { BoundedValues } from './bounded-values.ts'
import { DurationTally } from './duration-tally.ts'
import type { Count } from './count.ts'
import { LabelTree } from './label-tree.ts'
import { PluginCounts } from './plugin-counts.ts'

/** Requests with the same labels. */
interface RequestCount extends Count {
  /** The tally of their durations; shared with requests of other tenants and transports. */
  duration: DurationTally | undefined
}

/** The number of tools that are counted separately on one node; calls of further tools count as `other`. */
const mostTools = 1_000

/** From half a millisecond, which a local tool takes, to the minutes of slow tools. */
const requestBoundsMs = [
  0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000,
]
/** The overhead of the gateway should be far below a millisecond. */
const overheadBoundsMs = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 1_000]
/** From a single request to a day. */
const sessionBoundsMs = [1, 10, 60, 300, 900, 3_600, 14_400, 86_400].map((seconds) => seconds * 1_000)

/** Everything that is counted between scrapes. Each comment names the labels of the tree, in their order. */
export interface Tallies {
  /** Tenant, method, transport, backend, outcome. */
  readonly requests: LabelTree<RequestCount>
  /** Method, backend, outcome. */
  readonly durations: LabelTree<DurationTally>
  readonly overhead: LabelTree<DurationTally>
  /** Backend, tool, outcome. */
  readonly toolCalls: LabelTree<Count>
  readonly tools: BoundedValues
  /** Method. */
  readonly notifications: LabelTree<Count>
  /** Reason. */
  readonly notificationsDropped: LabelTree<Count>
  /** Tenant, limit. */
  readonly rateExceeded: LabelTree<Count>
  /** Code, origin. */
  readonly errors: LabelTree<Count>
  /** Reason. */
  readonly sessionsClosed: LabelTree<Count>
  readonly sessionDurations: LabelTree<DurationTally>
  /** Purpose, state. */
  readonly jobs: LabelTree<Count>
  /** Result. */
  readonly streamResumes: LabelTree<Count>
  readonly streamOverflows: LabelTree<Count>
  /** Backend. */
  readonly backendRestarts: LabelTree<Count>
  /** Backend, result. */
  readonly callRetries: LabelTree<Count>
  /** Reason. */
  readonly outputDiscarded: LabelTree<Count>
  /** Reason. */
  readonly authFailures: LabelTree<Count>
  /** Result. */
  readonly issuerKeys: LabelTree<Count>
  /** Backend. */
  readonly pluginFailures: LabelTree<Count>
  readonly pluginCounts: PluginCounts
  /** Where. */
  readonly internalErrors: LabelTree<Count>
  /** Kind. */
  readonly unreadable: LabelTree<Count>
  /** The last read of a configuration. The configuration at the start counts as applied. */
  readonly reload: { successful: boolean; at: number }
}

/** @param now epoch milliseconds */
export function createTallies(now: number): Tallies {
  return {
    requests: new LabelTree(() => ({ count: 0, duration: undefined })),
    durations: durations(requestBoundsMs),
    overhead: durations(overheadBoundsMs),
    toolCalls: counts(),
    tools: new BoundedValues(mostTools),
    notifications: counts(),
    notificationsDropped: counts(['overflow', 'no_owner'] satisfies FactOf<'notification_dropped'>['reason'][]),
    rateExceeded: counts(),
    errors: counts(),
    sessionsClosed: counts([
      'deleted',
      'idle',
      'shutdown',
      'disconnected',
      'reloaded',
    ] satisfies FactOf<'session_closed'>['reason'][]),
    sessionDurations: durations(sessionBoundsMs),
    jobs: counts(),
    streamResumes: counts(['resumed', 'unknown'] satisfies FactOf<'stream_resumed'>['result'][]),
    streamOverflows: counts(),
    backendRestarts: counts(),
    callRetries: counts(),
    outputDiscarded: counts([
      'not_a_message',
      'too_long',
      'not_utf8',
      'late_answer',
    ] satisfies FactOf<'output_discarded'>['reason'][]),
    authFailures: counts([
      'missing',
      'malformed',
      'unknown_key',
      'invalid_token',
      'insufficient_scope',
      'expired',
      'not_a_member',
      'no_keys',
      'no_proofs',
    ] satisfies FactOf<'access_refused'>['reason'][]),
    issuerKeys: counts(['success', 'failure'] satisfies FactOf<'issuer_keys_fetched'>['result'][]),
    pluginFailures: counts(),
    pluginCounts: new PluginCounts(),
    internalErrors: counts([
      'message',
      'timer',
      'control',
      'request',
      'connection',
      'process',
    ] satisfies FactOf<'internal_error'>['where'][]),
    unreadable: counts(unreadableKinds),
    reload: { successful: true, at: now },
  }
}

type FactOf<Kind extends TelemetryEvent['kind']> = Extract<TelemetryEvent, { kind: Kind }>

/** @param values label values that exist from the beginning, so that the first increase of each is visible */
function counts(values: readonly string[] = []): LabelTree<Count> {
  const tree = new LabelTree<Count>(() => ({ count: 0 }))
  for (const value of values) void tree.at(value)
  return tree
}

function durations(boundsMs: readonly number[]): LabelTree<DurationTally> {
  return new LabelTree(() => new DurationTally(boundsMs))
}
