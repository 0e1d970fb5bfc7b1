import type { PassThrough } from 'node:stream'
import type { JsonObject } from '@junctor/jsonrpc'
import { readLines } from './read-lines.ts'
import { createReceivedLog } from './received-log.ts'
import type { OpenWire } from './wire.ts'

/** A client on a pair of pipes, by hand. */
export function createStdioWire(pipes: {
  readonly input: PassThrough
  readonly output: PassThrough
  readonly closed: Promise<unknown>
}): OpenWire {
  const log = createReceivedLog()
  const read = async (): Promise<void> => {
    for await (const line of readLines(pipes.output)) {
      const parsed = JSON.parse(line) as JsonObject | JsonObject[]
      for (const message of Array.isArray(parsed) ? parsed : [parsed]) log.add({ message, stream: 'stdio' })
    }
  }
  const reading = read()

  return {
    received: log.received,
    until: log.until,
    onMessage: log.onMessage,
    send(message) {
      pipes.input.write(`${JSON.stringify(message)}\n`)
      return Promise.resolve()
    },
    async close() {
      pipes.input.end()
      await pipes.closed
      pipes.output.end()
      await reading
    },
  }
}
