import { channel } from 'node:diagnostics_channel'
import type { Writable } from 'node:stream'

/** A message between a client under test and a gateway, on a transport that Node does not publish itself. */
export interface SeenMessage {
  /** The connection: it is compared by identity. */
  readonly peer: object
  readonly way: 'stdio' | 'bus'
  readonly direction: 'sent' | 'received'
  readonly headers?: Iterable<readonly [name: string, value: unknown]>
  readonly text: string
}

/** The name of the channel of `node:diagnostics_channel` with every `SeenMessage` of this process. */
export const seenMessages = 'junctor-e2e:message'

/** Publishes a message to everyone who watches in this process. */
export function publishMessage(message: SeenMessage): void {
  const messages = channel(seenMessages)
  if (messages.hasSubscribers) messages.publish(message)
}

/** Publishes all that is written to the two pipes of a client on stdio. @param output absent: somebody else reads it */
export function publishPipes(peer: object, input: Writable, output?: Writable): void {
  const pipes = [
    ['sent', input],
    ['received', output],
  ] as const
  for (const [direction, pipe] of pipes) {
    if (pipe === undefined) continue
    const write = pipe.write.bind(pipe) as (...args: readonly unknown[]) => boolean
    pipe.write = (chunk: unknown, ...more: readonly unknown[]) => {
      publishMessage({ peer, way: 'stdio', direction, text: textOf(chunk) })
      return write(chunk, ...more)
    }
  }
}

function textOf(chunk: unknown): string {
  return chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk)
}
