import process from 'node:process'
import type { Duplex } from 'node:stream'

/** Returns a function that writes to a stream: all that is written in one turn goes out together. */
export function corkedWrites(stream: Duplex): (bytes: Buffer) => void {
  let isCorked = false
  const uncork = (): void => {
    isCorked = false
    stream.uncork()
  }
  return (bytes) => {
    if (!stream.writable) return
    if (!isCorked) {
      isCorked = true
      stream.cork()
      process.nextTick(uncork)
    }
    stream.write(bytes)
  }
}
