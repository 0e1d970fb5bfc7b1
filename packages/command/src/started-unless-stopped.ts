import { settlesWithin } from '@junctor/primitives'
import type { ExitCode } from './exit-codes.ts'

/** How long a start that has become needless may still take, in milliseconds, to be undone in order. */
const undoMs = 2_000

/** What a process starts, and closes when it ends. */
interface Closable {
  close(): Promise<void>
}

/**
 * What a process starts, or the exit code when it is asked to stop first. A start may wait for a server or a plugin that
 * does not answer: the process then ends without it.
 */
export async function startedUnlessStopped<Started extends Closable>(
  starting: Promise<Started>,
  stop: Promise<ExitCode>,
): Promise<Started | ExitCode> {
  const first = await Promise.race([starting, stop])
  if (typeof first !== 'number') return first
  const closed = starting.then((started) => started.close()).catch(() => {})
  await settlesWithin(closed, undoMs)
  return first
}
