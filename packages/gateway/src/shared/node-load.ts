import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Log } from '@junctor/contracts'
import { judgeLoad, type LoadSample, type LoadState } from './judge-load.ts'

/** Whether a node is too busy for new work. */
export interface NodeLoad {
  /** Why new work is refused. Undefined: it is taken. */
  readonly reason: keyof LoadSample | undefined
  close(): void
}

const readMs = 250

/** The histogram counts the time between two ticks, in milliseconds. This part of it is not a delay. */
const tickMs = 20

/** Reads the load of this process four times a second. */
export function watchLoad(bounds: LoadSample, log: Log): NodeLoad {
  const delays = monitorEventLoopDelay({ resolution: tickMs })
  delays.enable()
  let state: LoadState = { kind: 'taking', highs: 0 }

  const timer = setInterval(() => {
    const before = state.kind
    const sample = read()
    state = judgeLoad(state, sample, bounds)
    if (state.kind === before) return
    const isRefusing = state.kind === 'refusing'
    log.warn(isRefusing ? 'this node is too busy: it refuses new requests' : 'this node takes new requests again', {
      ...sample,
    })
  }, readMs)
  timer.unref()

  function read(): LoadSample {
    // In nanoseconds. Without a tick since the last sample it is not a number.
    const { mean } = delays
    delays.reset()
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    return {
      loopDelayMs: Number.isNaN(mean) ? 0 : Math.max(0, Math.round(mean / 1e6) - tickMs),
      heapPercent: Math.round((100 * used) / limit),
    }
  }

  return {
    get reason() {
      return state.kind === 'refusing' ? state.reason : undefined
    },
    close() {
      clearInterval(timer)
      delays.disable()
    },
  }
}
