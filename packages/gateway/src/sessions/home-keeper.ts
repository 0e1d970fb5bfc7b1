import type { Log } from '@junctor/contracts'
import type { Clock } from '../shared/clock.ts'
import type { HomeChecks } from './home-checks.ts'
import { createHomeChecks } from './home-checks.ts'
import type { SessionRecords } from './session-records.ts'
import type { HomeRow, SessionTable } from './session-table.ts'

export interface HomeKeeperParts {
  readonly table: SessionTable
  readonly records: Pick<SessionRecords, 'confirm' | 'create'>
  readonly clock: Clock
  readonly log: Log
  /** How long a session may be unused, in milliseconds. */
  readonly idleMs: number
  /** Ends a session at home here, which others say has ended. */
  readonly end: (id: string) => void
  /** Forgets a session at home here that has another home now. */
  readonly leave: (id: string) => void
}

/** Keeps the records of sessions at home here true, and ends those that others say have ended. */
export interface HomeKeeper extends Pick<HomeChecks, 'checked' | 'wasAway'> {
  /** Writes what a session at home here is now. Rejects while storage cannot be used. */
  renew(row: HomeRow): Promise<void>
  /** Renews the records of sessions that were used, and looks after those that may have another home. Every second. */
  sweep(): void
}

export function createHomeKeeper({ table, records, clock, log, idleMs, end, leave }: HomeKeeperParts): HomeKeeper {
  const confirm = async (row: HomeRow, writtenAt: number, isDue: boolean): Promise<void> => {
    const { session } = row
    // What is one connection no other node speaks for.
    if (session.transport !== 'http') return records.create(session)
    const standing = await records.confirm(session, writtenAt, isDue)
    if (table.row(session.id) !== row) return
    if (standing === 'elsewhere') leave(session.id)
    if (standing !== 'ended') return
    log.warn('A session ends here, because another node has said that it is gone')
    end(session.id)
  }

  const checks = createHomeChecks({
    now: clock.now,
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
      // Else it goes before it is its turn again.
      row.stored = before
      log.warn('the record of a session could not be renewed', { error })
    }
  }

  return {
    checked: (id) => checks.checked(id),
    wasAway() {
      checks.wasAway()
      table.cutOff()
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
