import type { Answering } from './answering.ts'
import type { ClientSide } from './client-side.ts'
import type { Foundation } from './foundation.ts'
import { startHousekeeping } from './shared/housekeeping.ts'

/** How often old things are looked for, in milliseconds: often enough that bounds of minutes hold to a second. */
const everyMs = 1_000

/** Looks after what grows old at this node, until what is returned is called. */
export function keepHouse(
  { fabric, table, streams, caught }: Foundation,
  { upstream, sessionless, runner, desk }: Answering,
  { sessions, departure }: ClientSide,
): () => void {
  const noticeLoss = (): void => {
    if (!fabric.readings().connected) table.cutOff()
  }
  const sweepSessions = (): void => {
    const waiting = desk.waitingSessions()
    sessions.sweep((id) => waiting.has(id) || departure.visiting.has(id))
  }
  return startHousekeeping(
    [
      noticeLoss,
      () => streams.sweep(),
      () => upstream.sweep(),
      () => sessionless.sweep(),
      () => runner.sweep(),
      () => desk.sweep(),
      sweepSessions,
      () => upstream.status.retry(),
    ],
    everyMs,
    caught,
  )
}
