import performanceHooks, { PerformanceObserver, monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Registry } from 'prom-client'
import { expect, test, vi } from 'vitest'
import { collectProcessMetrics } from './process-metrics.ts'

test('the process and its event loop are measured', async () => {
  const registry = new Registry()
  const stop = collectProcessMetrics(registry)
  try {
    const text = await registry.metrics()
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      expect(text).toContain(`\n${name} `)
  } finally {
    stop()
  }
})

test('the functions of Node.js are restored', () => {
  collectProcessMetrics(new Registry())()
  expect(performanceHooks.monitorEventLoopDelay).toBe(monitorEventLoopDelay)
  expect(performanceHooks.PerformanceObserver).toBe(PerformanceObserver)
})

test('the timer of the event loop stops at the end', () => {
  const monitors = vi.spyOn(performanceHooks, 'monitorEventLoopDelay')
  try {
    collectProcessMetrics(new Registry())()
    const [made] = monitors.mock.results
    // `disable` returns whether it was enabled.
    expect(made?.type === 'return' && made.value.disable()).toBe(false)
  } finally {
    monitors.mockRestore()
  }
})

test('garbage collections are not observed any more after the end', async () => {
  const registry = new Registry()
  const stop = collectProcessMetrics(registry)
  const collections = async (): Promise<number> => {
    const counts = (await registry.metrics()).matchAll(/^nodejs_gc_duration_seconds_count\S* (\d+)$/gm)
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
  }
  await collectGarbage()
  const observed = await collections()
  expect(observed).toBeGreaterThan(0)
  stop()
  await collectGarbage()
  expect(await collections()).toBe(observed)
})

/** Resolves when existing observers have received a collection. */
async function collectGarbage(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const observer = new PerformanceObserver(() => resolve())
  observer.observe({ entryTypes: ['gc'] })
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  await promise
  observer.disconnect()
}
