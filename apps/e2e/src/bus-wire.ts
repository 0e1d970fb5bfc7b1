import type { JsonObject } from '@junctor/jsonrpc'
import { openBusChannel } from './bus-channel.ts'
import type { BusUnderTest } from './gateway-under-test.ts'
import { createReceivedLog } from './received-log.ts'
import type { OpenWire } from './wire.ts'

/** A client on the bus, by hand. */
export async function openBusWire(bus: BusUnderTest): Promise<OpenWire> {
  const log = createReceivedLog()
  const channel = await openBusChannel(bus)
  const reading = (async () => {
    for await (const text of channel.texts) {
      const parsed = JSON.parse(text) as JsonObject | JsonObject[]
      for (const message of Array.isArray(parsed) ? parsed : [parsed]) log.add({ message, stream: 'bus' })
    }
  })()
  let closed: Promise<void> | undefined

  return {
    received: log.received,
    until: log.until,
    onMessage: log.onMessage,
    send: (message) => Promise.resolve(channel.send(JSON.stringify(message))),
    close: () => (closed ??= channel.close().then(() => reading)),
  }
}
