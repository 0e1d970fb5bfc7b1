import type { Seal } from '@junctor/contracts'

/** A seal for tests: it binds data to their place, and hides nothing. */
export function createTestSeal(): Seal {
  return {
    close: (place, data) => Buffer.concat([head(place), data]),
    open(place, sealed) {
      const start = head(place)
      const isHere = start.equals(Buffer.from(sealed.subarray(0, start.length)))
      return isHere ? sealed.subarray(start.length) : undefined
    },
  }
}

function head(place: string): Buffer {
  return Buffer.from(`${place}\n`)
}
