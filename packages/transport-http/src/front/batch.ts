import type { Origin, Session } from '@junctor/exchange'
import type { Batch } from '@junctor/jsonrpc'
import { allows, methods } from '@junctor/protocol'
import { BatchSink } from './batch-sink.ts'
import { failAsk } from './fail-ask.ts'
import type { HttpCall } from './http-call.ts'
import { HttpSink } from './http-sink.ts'

/** Why a batch is not taken, if so: only sessions of 2025-03-26 have batches, and `initialize` is never in one. */
export function judgeBatch({ entries }: Batch, session: Pick<Session, 'revision'> | undefined): string | undefined {
  if (session === undefined) return 'Expected one message, got a batch: without a session there are none'
  if (!allows(session.revision, 'batches')) {
    return `Expected one message, got a batch: revision ${session.revision} has none`
  }
  const opens = entries.some((entry) => entry.kind === 'request' && entry.method === methods.initialize)
  return opens ? 'Expected `initialize` on its own, got it in a batch' : undefined
}

/** Hands the messages of a batch on one by one; what they are answered goes out as one. */
export function receiveBatch(call: HttpCall, origin: Origin, { entries }: Batch): void {
  const { front } = call.serving
  const answered = entries.filter(({ kind }) => kind === 'request' || kind === 'unreadable').length
  const whole = new HttpSink(call, origin)
  const sink = new BatchSink(whole, answered)
  for (const entry of entries) {
    if (entry.kind !== 'unreadable') {
      front.receive(entry, origin, sink)
      continue
    }
    failAsk(call, origin, entry)
    void sink.send(front.refuse(entry.situation, origin, entry.message, entry.id).text, true)
  }
  if (answered === 0) void whole.send('', true)
  else whole.follow()
}
