/** Something that is not needed any more and should end by itself. */
interface Ending {
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
  let young = new Set<Ending>()
  let old = new Set<Ending>()
  let timer: NodeJS.Timeout | undefined

  const sweep = (): void => {
    for (const stream of old) stream.abort()
    old = young
    young = new Set()
    timer = old.size > 0 ? setTimeout(sweep, sweepMs).unref() : undefined
  }

  return {
    add(stream) {
      young.add(stream)
      timer ??= setTimeout(sweep, sweepMs).unref()
    },
    delete(stream) {
      if (!young.delete(stream)) old.delete(stream)
    },
    close() {
      clearTimeout(timer)
      for (const stream of [...young, ...old]) stream.abort()
      young.clear()
      old.clear()
    },
  }
}
