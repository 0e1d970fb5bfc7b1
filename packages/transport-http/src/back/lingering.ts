import { LinkedList, Place } from '@junctor/primitives'

/** Something that is not needed any more and should end by itself. */
export interface Ending {
  /** Where it stands among those that are waited for. */
  place: Place<Ending> | undefined
  abort(): void
}

/** Streams whose answer is there. Servers close them at once (they SHOULD); what stays open is cut after a while. */
export interface Lingering {
  add(stream: Ending): void
  delete(stream: Ending): void
  /** Cuts all of them. */
  close(): void
}

const sweepMs = 2_000

/** One timer for all: a stream is cut by the second sweep that sees it. */
export function createLingering(): Lingering {
  let young = new LinkedList<Ending>()
  let old = new LinkedList<Ending>()
  let timer: NodeJS.Timeout | undefined

  const sweep = (): void => {
    for (const stream of old.items()) stream.abort()
    old = young
    young = new LinkedList()
    timer = old.first === undefined ? undefined : setTimeout(sweep, sweepMs).unref()
  }

  return {
    add(stream) {
      stream.place ??= new Place(stream)
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
