import type { Readable, Writable } from 'node:stream'
import { createLineSplitter } from '../servers/line-splitter.ts'
import type { Lane } from './lane.ts'

/** The standard streams of a server. */
export interface StandardStreams {
  readonly input: Writable
  readonly output: Readable
}

/**
 * Lanes that share the standard streams of one server. The id of an answer identifies its lane: ids begin with the
 * lane's number times `callsPerLane`. The requests of one turn are sent in one write, as by a busy client.
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

/** The id of a message, without parsing it twice. */
export function idOf(line: string): number {
  return Number.parseInt(line.slice(line.indexOf('"id":') + '"id":'.length), 10)
}
