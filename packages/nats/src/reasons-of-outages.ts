import type { Log } from '@junctor/contracts'
import type { ConnectionChange } from './connection-changes.ts'

/** How long a connection is lost before the first look for the reason, and between the others, in milliseconds. */
const firstLookMs = 5_000
const nextLookMs = 30_000

/**
 * Logs why a lost connection is not restored: the client library tries on and on, and does not say what fails. Each
 * reason is logged once until the connection is restored.
 *
 * @param changes of the connection; their end ends this too
 * @param reasonNow connects once. Returns the reason if that fails, undefined if it does not
 */
export async function logReasonsOfOutages(
  changes: AsyncIterable<ConnectionChange>,
  reasonNow: () => Promise<string | undefined>,
  log: Log,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const lookIn = (ms: number, said?: string): void => {
    const mine = setTimeout(() => void look(mine, said), ms).unref()
    timer = mine
  }
  const look = async (mine: NodeJS.Timeout, said: string | undefined): Promise<void> => {
    const reason = await reasonNow()
    // The connection was restored or closed meanwhile.
    if (timer !== mine) return
    if (reason !== undefined && reason !== said) log.warn('the connection to NATS is not restored', { reason })
    lookIn(nextLookMs, reason ?? said)
  }
  for await (const change of changes) {
    clearTimeout(timer)
    timer = undefined
    if (change === 'lost') lookIn(firstLookMs)
  }
  clearTimeout(timer)
  timer = undefined
}
