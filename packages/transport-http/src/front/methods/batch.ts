import { isAnswered, notificationOf } from '@junctor/connection'
import type { Origin } from '@junctor/contracts'
import type { Batch } from '@junctor/jsonrpc'
import { BatchSink } from './batch-sink.ts'
import { acceptMessages } from './accept-messages.ts'
import { failAsk } from './fail-ask.ts'
import type { ReceivedRequest } from '../request/received-request.ts'
import { HttpSink } from '../request/http-sink.ts'

/** Passes the messages of a batch to the gateway one by one; the responses are sent together. */
export function receiveBatch(call: ReceivedRequest, origin: Origin, { entries }: Batch): void {
  const { front } = call.serving
  const answered = entries.filter(isAnswered).length
  const whole = new HttpSink(call, origin)
  const sink = new BatchSink(whole, answered)
  const received: Promise<boolean>[] = []
  for (const entry of entries) {
    if (entry.kind !== 'unreadable') {
      const arrived = front.receive(entry, origin, sink)
      if (arrived !== undefined) received.push(arrived)
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
  if (answered > 0) return whole.follow()
  const all = received.length === 0 ? undefined : Promise.all(received).then((each) => !each.includes(false))
  acceptMessages(call, origin, whole, all)
}
