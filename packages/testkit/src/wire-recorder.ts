import type { Receiver, Transport } from '@junctor/contracts'
import { type Message, printMessage } from '@junctor/jsonrpc'

/** One message that crossed a recorded connection. */
export interface WireFrame {
  readonly direction: 'sent' | 'received'
  readonly message: Message
  /** The text on the wire: tests search it for leaks. */
  readonly text: string
}

/** All messages that cross one end of a connection, in order. */
export interface WireRecorder {
  readonly frames: readonly WireFrame[]
  /** The texts of one direction. */
  texts(direction: WireFrame['direction']): readonly string[]
  /** Records received messages, and passes them on. */
  receiver(next?: Receiver): Receiver
  /** Records sent messages, and passes them on. */
  transport(transport: Transport): Transport
  /** Waits until this many messages were received. Rejects, with their number, when that takes too long. */
  untilReceived(count: number, ms?: number): Promise<void>
}

interface Waiting {
  readonly count: number
  resolve(): void
}

/** Creates a recorder of the messages of one client, in both directions, in their order. */
export function createWireRecorder(): WireRecorder {
  const frames: WireFrame[] = []
  const waiting = new Set<Waiting>()
  let received = 0

  const record = (direction: WireFrame['direction'], message: Message): void => {
    frames.push({ direction, message, text: printMessage(message, { nullId: true }) })
    if (direction === 'sent') return
    received += 1
    for (const entry of waiting) if (received >= entry.count) entry.resolve()
  }

  return {
    frames,
    texts: (direction) => frames.filter((frame) => frame.direction === direction).map(({ text }) => text),
    receiver: (next) => ({
      message(message) {
        record('received', message)
        next?.message(message)
      },
    }),
    transport: (transport) => ({
      closed: transport.closed,
      send(message) {
        record('sent', message)
        return transport.send(message)
      },
      close: (reason) => transport.close(reason),
    }),
    async untilReceived(count, ms = 10_000) {
      if (received >= count) return
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const timer = setTimeout(() => reject(new Error(`Expected ${count} messages, got ${received}`)), ms)
      const entry = { count, resolve }
      waiting.add(entry)
      try {
        await promise
      } finally {
        clearTimeout(timer)
        waiting.delete(entry)
      }
    },
  }
}
