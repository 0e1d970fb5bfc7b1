import type { Batch } from '@junctor/jsonrpc'
import { allows, methods } from '@junctor/protocol'
import type { Session } from '@junctor/contracts'

/**
 * Returns why a batch is refused, or undefined when it is accepted. In MCP only sessions of 2025-03-26 have batches;
 * JSON-RPC 3.0 always has them. `initialize` is never part of a batch (2025-03-26, Lifecycle, "Initialization").
 */
export function judgeBatch({ entries }: Batch, session: Pick<Session, 'revision'> | undefined): string | undefined {
  const { has2, has3 } = dialectsOf(entries)
  const isAllowed = (has3 && !has2) || (session !== undefined && allows(session.revision, 'batches'))
  if (!isAllowed) {
    if (has3) return 'Expected a batch of JSON-RPC 3.0 alone, got messages of JSON-RPC 2.0 in it'
    if (session === undefined) return 'Expected one message, got a batch: without a session there are none'
    return `Expected one message, got a batch: revision ${session.revision} has none`
  }
  const opens = entries.some((entry) => entry.kind === 'request' && entry.method === methods.initialize)
  return opens ? 'Expected `initialize` on its own, got it in a batch' : undefined
}

/** The versions of the readable entries of a batch. */
function dialectsOf(entries: Batch['entries']): { readonly has2: boolean; readonly has3: boolean } {
  const dialects = new Set(entries.map(({ dialect }) => dialect))
  return { has2: dialects.has('2.0'), has3: dialects.has('3.0') }
}
