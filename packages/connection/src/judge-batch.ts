import type { Batch } from '@junctor/jsonrpc'
import { allows, methods } from '@junctor/protocol'
import type { Session } from '@junctor/contracts'

/**
 * Why a batch is not taken, if so: of MCP only sessions of 2025-03-26 have batches, JSON-RPC 3.0 has them always, and
 * `initialize` is never part of one (2025-03-26, Lifecycle, "Initialization").
 */
export function judgeBatch({ entries }: Batch, session: Pick<Session, 'revision'> | undefined): string | undefined {
  if (!isThree(entries)) {
    if (session === undefined) return 'Expected one message, got a batch: without a session there are none'
    if (!allows(session.revision, 'batches')) {
      return `Expected one message, got a batch: revision ${session.revision} has none`
    }
  }
  const opens = entries.some((entry) => entry.kind === 'request' && entry.method === methods.initialize)
  return opens ? 'Expected `initialize` on its own, got it in a batch' : undefined
}

/** Whether all that could be read of a batch is JSON-RPC 3.0, and something could. */
function isThree(entries: Batch['entries']): boolean {
  const dialects = new Set(entries.map(({ dialect }) => dialect))
  return dialects.has('3.0') && !dialects.has('2.0')
}
