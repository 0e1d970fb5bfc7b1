/** Inspects another Node process, which was started with `--inspect`. */
export interface Inspector {
  /** Evaluates an expression there. The value must be JSON. */
  evaluate<Value>(expression: string): Promise<Value>
  /** Bytes of live objects, after garbage collection. */
  heap(): Promise<number>
  /** Runs `act`, and returns the processor time and the longest pause of the event loop meanwhile, in milliseconds. */
  cost(act: () => Promise<unknown>): Promise<Cost>
  close(): void
}

/** The cost of an operation for a process. */
interface Cost {
  readonly cpuMs: number
  readonly pauseMs: number
}

interface Reply {
  readonly id: number
  readonly result?: { readonly result?: { readonly value: unknown }; readonly usedSize?: number }
  readonly error?: { readonly message: string }
}

/** @param url from the standard error of the process: `ws://127.0.0.1:...` */
export async function openInspector(url: string): Promise<Inspector> {
  const socket = new WebSocket(url)
  const waiting = new Map<number, PromiseWithResolvers<NonNullable<Reply['result']>>>()
  let ids = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data)) as Reply
    const asked = waiting.get(id)
    waiting.delete(id)
    if (result === undefined) asked?.reject(new Error(error?.message ?? 'The inspector gave no result'))
    else asked?.resolve(result)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error(`Expected a debugger at ${url}`)), { once: true })
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('The process that was looked into has ended'))
    waiting.clear()
  })

  const ask = (method: string, params: object = {}): Promise<NonNullable<Reply['result']>> => {
    const asked = Promise.withResolvers<NonNullable<Reply['result']>>()
    waiting.set((ids += 1), asked)
    socket.send(JSON.stringify({ id: ids, method, params }))
    return asked.promise
  }

  const evaluate = async <Value>(expression: string): Promise<Value> => {
    const { result } = await ask('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })
    return result?.value as Value
  }

  return {
    evaluate,
    async cost(act) {
      await evaluate(`(${startMeasure.toString()})()`)
      // A pause is measured after it, by a clock that has ticked before.
      await evaluate(aMoment)
      await act()
      await evaluate(aMoment)
      return await evaluate<Cost>(`(${endMeasure.toString()})()`)
    },
    async heap() {
      // The second round collects what finalizers of the first have released.
      await ask('HeapProfiler.collectGarbage')
      await ask('HeapProfiler.collectGarbage')
      return (await ask('Runtime.getHeapUsage')).usedSize ?? 0
    },
    close: () => socket.close(),
  }
}

const aMoment = 'new Promise((resolve) => setTimeout(resolve, 20))'

// These two functions run in the other process.

interface Measure {
  delay: ReturnType<(typeof import('node:perf_hooks'))['monitorEventLoopDelay']>
  cpu: NodeJS.CpuUsage
}

function startMeasure(): void {
  const delay = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  ;(globalThis as { measure?: Measure }).measure = { delay, cpu: process.cpuUsage() }
}

function endMeasure(): { cpuMs: number; pauseMs: number } {
  const { delay, cpu } = (globalThis as { measure?: Measure }).measure as Measure
  const { user, system } = process.cpuUsage(cpu)
  delay.disable()
  return { cpuMs: (user + system) / 1e3, pauseMs: delay.max / 1e6 }
}
