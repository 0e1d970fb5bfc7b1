/** Every limit with its unit. Each word is the name used by the component that enforces it, and is documented there. */
export const limitUnits = {
  body: 'size',
  headers: 'size',
  depth: 'count',
  batch: 'count',
  connections: 'count',
  connectionsOfAddress: 'count',
  streamBuffer: 'size',
  headersTimeout: 'time',
  requestTimeout: 'time',
  keepAliveTimeout: 'time',
  stalled: 'time',
  streamKeepAlive: 'time',
  drainDelay: 'time',
  grace: 'time',
  sessions: 'count',
  sessionsOfPrincipal: 'count',
  sessionsOfTenant: 'count',
  sessionIdle: 'time',
  inFlight: 'count',
  callsOfPrincipal: 'count',
  loopDelay: 'time',
  heapPercent: 'count',
  streams: 'count',
  streamsOfPrincipal: 'count',
  streamsOfTenant: 'count',
  streamEntries: 'count',
  streamCharacters: 'count',
  streamKeep: 'time',
  pageItems: 'count',
  instructions: 'count',
  startWait: 'time',
  listChanged: 'time',
} as const

/** The name of a limit in the file. */
export type LimitWord = keyof typeof limitUnits

/** The names of all limits in the file. */
export const limitWords = Object.keys(limitUnits) as readonly LimitWord[]

/**
 * Limits that the file sets, by their words; those of durations end in `Ms` and are milliseconds, sizes are bytes. An
 * absent limit has the default of the component that enforces it.
 */
export type LimitsConfig = {
  readonly [Word in LimitWord as (typeof limitUnits)[Word] extends 'time' ? `${Word}Ms` : Word]?: number
}

/** Returns the name of a limit in a checked configuration. */
export function limitMember(word: LimitWord): keyof LimitsConfig {
  return (limitUnits[word] === 'time' ? `${word}Ms` : word) as keyof LimitsConfig
}
