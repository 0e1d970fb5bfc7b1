import type { Batch } from '@junctor/jsonrpc'
import { allows, methods } from '@junctor/protocol'
import type { Session } from '../front.ts'

/**
 * Why a batch is not taken, if so. Only 2025-03-26 has batches, and `initialize` is never part of one (2025-03-26,
 * Lifecycle, "Initialization").
 */
export function judgeBatch({ entries }: Batch, session: Pick<Session, 'revision'> | undefined): string | undefined {
  if (session === undefined) return 'Expected one message, got a batch: before `initialize` there are none'
  if (!allows(session.revision, 'batches')) {
    return `Expected one message, got a batch: revision ${session.revision} has none`
  }
  const opens = entries.some((entry) => entry.kind === 'request' && entry.method === methods.initialize)
  return opens ? 'Expected `initialize` on its own, got it in a batch' : undefined
}
