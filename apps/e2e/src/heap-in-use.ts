import { memoryUsage } from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes of memory in use after a full garbage collection. */
export function heapInUse(): number {
  collectGarbage()
  // The memory of collected buffers is released asynchronously, before the next call.
  collectGarbage()
  const { heapUsed, arrayBuffers } = memoryUsage()
  return heapUsed + arrayBuffers
}
