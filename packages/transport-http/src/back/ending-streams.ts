import { LinkedList, ListNode } from '@junctor/primitives'

/** A stream that is no longer needed and is expected to end without an abort. */
export interface EndingStream {
  /** Its place in the list of streams that are expected to end. */
  place: ListNode<EndingStream> | undefined
  abort(): void
}

/** Streams whose response has arrived. Servers close them immediately (they SHOULD); the others are aborted later. */
export interface EndingStreams {
  add(stream: EndingStream): void
  delete(stream: EndingStream): void
  /** Aborts all of them. */
  close(): void
}

const sweepMs = 2_000

/** One timer for all: the second sweep that finds a stream aborts it. */
export function createEndingStreams(): EndingStreams {
  let young = new LinkedList<EndingStream>()
  let old = new LinkedList<EndingStream>()
  let timer: NodeJS.Timeout | undefined

  const sweep = (): void => {
    for (const stream of old.items()) stream.abort()
    old = young
    young = new LinkedList()
    timer = old.first === undefined ? undefined : setTimeout(sweep, sweepMs).unref()
  }

  return {
    add(stream) {
      stream.place ??= new ListNode(stream)
      young.append(stream.place)
      timer ??= setTimeout(sweep, sweepMs).unref()
    },
    delete({ place }) {
      if (place !== undefined) place.list?.remove(place)
    },
    close() {
      clearTimeout(timer)
      for (const stream of [...young.items(), ...old.items()]) stream.abort()
      young = new LinkedList()
      old = new LinkedList()
    },
  }
}
