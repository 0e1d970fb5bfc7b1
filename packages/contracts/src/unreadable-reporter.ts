import { PacedCounts } from '@junctor/primitives'
import type { Log } from './log.ts'
import type { Emit } from './telemetry-event.ts'
import type { UnreadableKind } from './unreadable-kind.ts'

/**
 * Called with data of another node that this version cannot read, perhaps because the node has another version. Never
 * throws.
 *
 * @param source which of the data, or from which node; never a credential
 * @param problem see `ReadData`
 */
export type UnreadableReporter = (kind: UnreadableKind, source: string, problem: string) => void

/**
 * Creates a reporter that counts each of them with the event `data_unreadable`, and logs each kind the first time and
 * then once a minute, with the count since.
 */
export function createUnreadableReporter(log: Log, emit: Emit): UnreadableReporter {
  const counts = new PacedCounts<UnreadableKind>()
  return (data, source, problem) => {
    emit({ kind: 'data_unreadable', data })
    const count = counts.add(data)
    if (count === undefined) return
    log.warn('data of another node cannot be read; does it run another version?', {
      kind: data,
      source,
      problem,
      count,
    })
  }
}
