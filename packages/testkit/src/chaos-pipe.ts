import type { Socket } from 'node:net'
import type { Toxics } from './toxics.ts'

/** One direction of a connection. */
export interface ChaosPipe {
  /** From the next piece on this is wrong with it. */
  set(toxics: Toxics): void
  /** Forgets what is under way. Its sockets are closed by whoever opened them. */
  close(): void
}

export interface ChaosPipeOptions {
  readonly from: Socket
  readonly to: Socket
  readonly toxics: Toxics
  /** Closes the connection. */
  readonly end: () => void
  /** Resets it. */
  readonly reset: () => void
}

/** Bytes that wait in the pipe at most: then the sender waits, as it would for a network. */
const held = 256 * 1024

/** Carries bytes from one socket to another, in order, one piece after the other. */
export function createChaosPipe({ from, to, toxics: given, end, reset }: ChaosPipeOptions): ChaosPipe {
  const timers = new Set<NodeJS.Timeout>()
  const queue: { readonly bytes: Buffer; readonly due: number }[] = []
  let toxics = given
  let passed = 0
  let size = 0
  let ended = false
  let busy = false

  const later = (ms: number, act: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      act()
    }, ms)
    timers.add(timer)
  }

  const pause = (ms: number): Promise<void> => new Promise((resolve) => later(ms, resolve))

  const drained = (): Promise<void> =>
    new Promise((resolve) => {
      to.once('drain', resolve)
      to.once('close', resolve)
    })

  /** Writes one piece as slowly as the toxics want. */
  const write = async (bytes: Buffer): Promise<void> => {
    const { slicer, bandwidth } = toxics
    const step = slicer?.averageSize ?? (bandwidth === undefined ? bytes.length : Math.max(1, bandwidth.rate * 10))
    for (let start = 0; start < bytes.length && !to.destroyed; start += step) {
      const piece = bytes.subarray(start, start + step)
      if (bandwidth !== undefined) await pause(piece.length / bandwidth.rate)
      if (slicer !== undefined && start > 0) await pause(slicer.delay)
      if (!to.destroyed && !to.write(piece)) await drained()
    }
  }

  /** What of a piece may still pass. */
  const limited = (bytes: Buffer): Buffer => {
    const limit = toxics.limit_data?.bytes
    if (limit === undefined) return bytes
    const rest = bytes.subarray(0, Math.max(0, limit - passed))
    passed += rest.length
    return rest
  }

  const work = async (): Promise<void> => {
    if (busy) return
    busy = true
    for (let piece = queue.shift(); piece !== undefined && !to.destroyed; piece = queue.shift()) {
      const wait = piece.due - performance.now()
      // One piece after the other is what keeps their order.
      // oxlint-disable-next-line no-await-in-loop
      if (wait > 0) await pause(wait)
      const rest = limited(piece.bytes)
      // oxlint-disable-next-line no-await-in-loop
      await write(rest)
      size -= piece.bytes.length
      if (size < held) from.resume()
      if (rest.length < piece.bytes.length) end()
    }
    busy = false
    if (ended && !to.destroyed) to.end()
  }

  from.on('data', (bytes: Buffer) => {
    if (toxics.timeout !== undefined || ended) return
    if (toxics.reset_peer !== undefined) return later(toxics.reset_peer.timeout, reset)
    const { latency = 0, jitter = 0 } = toxics.latency ?? {}
    const due = performance.now() + latency + (Math.random() * 2 - 1) * jitter
    queue.push({ bytes, due })
    size += bytes.length
    if (size >= held) from.pause()
    void work()
  })
  const finish = (): void => {
    ended = true
    void work()
  }
  from.on('end', () => {
    if (toxics.timeout === undefined) finish()
  })

  const start = (): void => {
    passed = 0
    if (toxics.half_close !== undefined) later(toxics.half_close.timeout, finish)
    if (toxics.timeout !== undefined && toxics.timeout.timeout > 0) later(toxics.timeout.timeout, end)
  }
  start()
  return {
    set(next) {
      toxics = next
      start()
    },
    close() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
