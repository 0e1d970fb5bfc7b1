import type { Sample } from './sample.ts'

/** What grew from the first quiet moment to the last, as texts; empty when nothing did. */
export function judgeSamples(samples: readonly Sample[]): readonly string[] {
  const [first] = samples
  const last = samples.at(-1)
  if (first === undefined || last === undefined || first === last) return ['there are fewer than two quiet moments']
  return [
    ...grown('live heap', first.heap, last.heap, heapShare, heapBytes),
    ...grown('descriptors', first.descriptors, last.descriptors, 0, connectionsMayLinger),
    ...grown('processes', first.processes, last.processes, 0, 0),
    ...grown('timers', first.timers, last.timers, 0, timersMayDiffer),
    ...grown('sessions', 0, last.sessions, 0, 0),
  ]
}

/** Allowed growth: code that is compiled late, tables that have grown to their limit. */
const heapShare = 0.1
const heapBytes = 2_000_000
/** Kept-alive connections of the measuring process. */
const connectionsMayLinger = 2
/** One-shot timers vary: those of sockets, and of the deadlines. */
const timersMayDiffer = 2

function grown(what: string, first: number, last: number, share: number, more: number): readonly string[] {
  return last > first * (1 + share) + more ? [`${what} went from ${first} to ${last}`] : []
}
