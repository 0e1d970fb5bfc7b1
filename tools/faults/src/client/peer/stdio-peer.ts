import type { Readable, Writable } from 'node:stream'
import { createPeer } from './create-peer.ts'
import { createFrameLog } from './frame-log.ts'
import type { Peer } from './peer.ts'

/** The client's ends of a pair of pipes. */
export interface Pipes {
  readonly input: Writable
  readonly output: Readable
  /** Resolves when the other side has ended. */
  readonly closed: Promise<unknown>
}

/** Sends on `input`, and reads lines of `output`. `close` ends `input`, and waits for the other side to end. */
export function createStdioPeer({ input, output, closed }: Pipes): Peer {
  const log = createFrameLog()
  let rest = ''
  output.setEncoding('utf8')
  output.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) log.add(line)
  })
  input.on('error', () => {})
  return createPeer({
    transport: 'stdio',
    log,
    send(frame) {
      input.write(frame)
      input.write('\n')
      return Promise.resolve(0)
    },
    async close() {
      input.end()
      await closed
    },
  })
}
