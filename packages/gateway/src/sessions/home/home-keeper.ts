import type { Log } from '@junctor/contracts'
import type { Clock } from '../../shared/clock.ts'
import { createHomeChecks, type HomeChecks } from './home-checks.ts'
import type { SessionRecords } from './session-records.ts'
import type { HomeRow, SessionTable } from '../session/session-table.ts'

/** The sessions of this node, their stored records, and what is done when a record says that one has ended or moved. */
export interface HomeKeeperParts {
  readonly table: SessionTable
  readonly records: Pick<SessionRecords, 'confirm' | 'create'>
  readonly clock: Clock
  /** Epoch milliseconds by the system's clock, which continues while the machine is suspended. */
  readonly systemTime: () => number
  readonly log: Log
  /** How long a session may be idle, in milliseconds. */
  readonly idleMs: number
  /** Ends a session of this home node that another node has recorded as ended. */
  readonly end: (id: string) => void
  /** Forgets a session that has another home now. */
  readonly leave: (id: string) => void
}

/**
 * Keeps the records of the sessions of this home node correct, and ends those that other nodes have recorded as ended.
 */
export interface HomeKeeper extends Pick<HomeChecks, 'checked' | 'wasAway'> {
  /** Writes the current record of a session. Rejects while the storage is not available. */
  renew(row: HomeRow): Promise<void>
  /**
   * Renews the records of sessions that were used, and checks those that may have another home. Must be called every
   * second.
   */
  sweep(): void
}

/** A session whose record says that it has ended is ended here too; one whose record names another home is forgotten. */
export function createHomeKeeper(parts: HomeKeeperParts): HomeKeeper {
  const { table, records, clock, systemTime, log, idleMs, end, leave } = parts
  const confirm = async (row: HomeRow, writtenAt: number, isDue: boolean): Promise<void> => {
    const { session } = row
    // A session that is bound to one connection is used by this node only: it needs no check.
    if (session.transport !== 'http') return records.create(session)
    const verdict = await records.confirm(session, writtenAt, isDue)
    if (table.row(session.id) !== row) return
    if (verdict === 'elsewhere') leave(session.id)
    if (verdict !== 'ended') return
    log.warn('a session ends here, because another node has recorded its end')
    end(session.id)
  }

  const checks = createHomeChecks({
    // When the system's clock was set, the sessions are checked without need.
    now: systemTime,
    homes: () => table.homes(),
    check: async (id) => {
      const row = table.row(id)
      if (row !== undefined) await confirm(row, row.stored, false)
    },
  })

  const renewInTime = async (row: HomeRow, now: number): Promise<void> => {
    const before = row.stored
    row.stored = now
    try {
      await confirm(row, before, true)
    } catch (error) {
      // Retry at the next sweep: the record would expire before the next regular renewal.
      row.stored = before
      log.warn('the record of a session could not be renewed', { error })
    }
  }

  return {
    checked: checks.checked,
    wasAway() {
      checks.wasAway()
      table.markAllUsed()
    },
    renew: (row) => confirm(row, row.stored, true),
    sweep() {
      const now = clock.now()
      for (const row of table.rows()) {
        if (row.confirmAt !== undefined && now >= row.confirmAt) {
          row.confirmAt = undefined
          checks.doubt(row.session.id)
        }
        if (row.used > row.stored && now - row.stored >= idleMs / 2) void renewInTime(row, now)
      }
      checks.sweep()
    },
  }
}
