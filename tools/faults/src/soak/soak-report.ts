import type { SoakReport } from './run-soak.ts'
import type { Sample } from './sample.ts'

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

/** A quiet moment as a row of a table; without one, the header of the table. */
export function soakRow(sample?: Sample): string {
  const cells =
    sample === undefined
      ? ['seconds', 'live heap MB', 'RSS MB', 'descriptors', 'processes', 'timers', 'sessions']
      : [
          sample.second,
          megabytes(sample.heap),
          megabytes(sample.rss),
          sample.descriptors,
          sample.processes,
          sample.timers,
          sample.sessions,
        ]
  return cells.map((cell) => String(cell).padStart(13)).join('')
}

/** What was done, and what grew. */
export function soakReport({ calls, troubles, faults }: SoakReport): string {
  const errors = [...calls.errors].map(([reason, count]) => `${count} ${reason}`)
  const { killed, stopped, reloads, badReloads } = troubles
  return [
    `${calls.sessions} sessions, ${calls.results} results; errors: ${errors.length === 0 ? 'none' : errors.join(', ')}`,
    `backends killed ${killed} times, stopped ${stopped} times; ${reloads} reloads, and ${badReloads} bad ones`,
    faults.length === 0 ? 'Nothing grew.' : `WRONG: ${faults.join('; ')}`,
  ].join('\n')
}
