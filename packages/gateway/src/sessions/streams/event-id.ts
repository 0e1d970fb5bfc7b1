import { printable } from '@junctor/primitives'
import { type ReadNodeId, readNodeId } from '../../shared/node-id.ts'

/** The place of one event: `<stream id>:<n>`. The stream id names the node that keeps the stream. */
export interface EventPlace {
  readonly kind: 'place'
  readonly node: string
  readonly stream: string
  /** 0 is the priming event, before the first. */
  readonly n: number
}

const localPattern = /^[\w-]{22}$/
const numberPattern = /^(0|[1-9][0-9]{0,9})$/

/** Reads an event id from a client, which may have made it up. `foreign`: no gateway can have issued it. */
export function readEventId(text: string): EventPlace | Extract<ReadNodeId, { kind: 'foreign' }> {
  const at = text.lastIndexOf(':')
  const stream = text.slice(0, Math.max(at, 0))
  const n = text.slice(at + 1)
  const id = readNodeId(stream)
  if (id.kind === 'foreign') return { ...id, why: `expected an id of an event, got "${printable(text, 80)}"` }
  const isPlace = localPattern.test(id.local) && numberPattern.test(n)
  if (!isPlace)
    return { kind: 'foreign', why: `expected "<stream>:<number>", got an id of node ${id.node} and no such event` }
  return { kind: 'place', node: id.node, stream, n: Number(n) }
}

/** The id of an event of a stream. */
export function eventId(stream: string, n: number): string {
  return `${stream}:${n}`
}
