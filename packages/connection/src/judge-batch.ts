import type { Batch } from '@junctor/jsonrpc'
import { allows, methods } from '@junctor/protocol'
import type { Session } from '@junctor/contracts'

/**
 * Returns why a batch is refused, or undefined when it is accepted. In MCP only sessions of 2025-03-26 have batches;
 * JSON-RPC 3.0 always has them. `initialize` is never part of a batch (2025-03-26, Lifecycle, "Initialization").
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

/** Whether all readable entries of a batch are JSON-RPC 3.0, and at least one entry is readable. */
function isThree(entries: Batch['entries']): boolean {
  const dialects = new Set(entries.map(({ dialect }) => dialect))
  return dialects.has('3.0') && !dialects.has('2.0')
}
