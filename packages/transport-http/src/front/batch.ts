import { isAnswered, notificationOf } from '@junctor/connection'
import type { Origin } from '@junctor/contracts'
import type { Batch } from '@junctor/jsonrpc'
import { BatchSink } from './batch-sink.ts'
import { failAsk } from './fail-ask.ts'
import type { ReceivedRequest } from './received-request.ts'
import { HttpSink } from './http-sink.ts'

/** Passes the messages of a batch to the gateway one by one; the responses are sent together. */
export function receiveBatch(call: ReceivedRequest, origin: Origin, { entries }: Batch): void {
  const { front } = call.serving
  const answered = entries.filter(isAnswered).length
  const whole = new HttpSink(call, origin)
  const sink = new BatchSink(whole, answered)
  for (const entry of entries) {
    if (entry.kind !== 'unreadable') {
      front.receive(entry, origin, sink)
      continue
    }
    failAsk(call, origin, entry)
    if (entry.silent) {
      for (const notification of notificationOf(entry)) front.ignore(notification, origin)
      continue
    }
    const from = { ...origin, dialect: entry.dialect ?? origin.dialect }
    front.refuseOn(sink, entry.situation, from, entry.message, entry.id)
  }
  if (answered === 0) void whole.send('', true)
  else whole.follow()
}
