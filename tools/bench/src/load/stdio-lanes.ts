import type { Readable, Writable } from 'node:stream'
import { createLineSplitter } from '../servers/line-splitter.ts'
import type { Lane } from './lane.ts'

/** The standard streams of a server. */
export interface StandardStreams {
  readonly input: Writable
  readonly output: Readable
}

/**
 * Lanes that share the standard streams of one server. Which lane an answer is for shows in its id: the lane's number
 * times `callsPerLane`, and up. What all lanes send in one turn goes out in one write, as from a client that is busy.
 */
export function openStdioLanes(
  { input, output }: StandardStreams,
  count: number,
  callsPerLane: number,
): readonly Lane[] {
  let lines: Uint8Array[] = []
  const split = createLineSplitter()
  const lanes = Array.from({ length: count }, (): Lane => ({ listener: undefined, send, close }))

  function send(line: Uint8Array): void {
    if (lines.length === 0) setImmediate(flush)
    lines.push(line)
  }

  function flush(): void {
    input.write(Buffer.concat(lines))
    lines = []
  }

  function read(chunk: string): void {
    for (const body of split(chunk)) lanes[Math.floor(idOf(body) / callsPerLane)]?.listener?.answered({ body })
  }

  function close(): void {
    output.off('data', read)
  }

  output.setEncoding('utf8')
  output.on('data', read)
  return lanes
}

/** The id of a message, without parsing what the listener is going to parse. */
export function idOf(line: string): number {
  return Number.parseInt(line.slice(line.indexOf('"id":') + '"id":'.length), 10)
}
