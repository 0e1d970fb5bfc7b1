/** The position of one event: `<stream id>:<n>`. The stream id starts with the id of the node that keeps the stream. */
export interface EventPlace {
  readonly node: string
  readonly stream: string
  /** The number of the event; 0 is the priming event, before the first. */
  readonly n: number
}

const pattern = /^([a-z0-9]{8})-([A-Za-z0-9_-]{22}):(0|[1-9][0-9]{0,9})$/

/** Reads an event id. `undefined`: this gateway cannot have issued it. */
export function parseEventId(text: string): EventPlace | undefined {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [, node = '', random = '', n = ''] = match
  return { node, stream: `${node}-${random}`, n: Number(n) }
}

export function eventId(stream: string, n: number): string {
  return `${stream}:${n}`
}
