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

test('the functions of Node.js are left as they were', () => {
  collectProcessMetrics(new Registry())()
  expect(performanceHooks.monitorEventLoopDelay).toBe(monitorEventLoopDelay)
  expect(performanceHooks.PerformanceObserver).toBe(PerformanceObserver)
})

test('at the end the timer of the event loop stops', () => {
  const monitors = vi.spyOn(performanceHooks, 'monitorEventLoopDelay')
  try {
    collectProcessMetrics(new Registry())()
    const [made] = monitors.mock.results
    // `disable` tells whether it was enabled.
    expect(made?.type === 'return' && made.value.disable()).toBe(false)
  } finally {
    monitors.mockRestore()
  }
})

test('at the end garbage collections are not heard of any more', async () => {
  const registry = new Registry()
  const stop = collectProcessMetrics(registry)
  const collections = async (): Promise<number> => {
    const counts = (await registry.metrics()).matchAll(/^nodejs_gc_duration_seconds_count\S* (\d+)$/gm)
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
  }
  await collectGarbage()
  const heard = await collections()
  expect(heard).toBeGreaterThan(0)
  stop()
  await collectGarbage()
  expect(await collections()).toBe(heard)
})

/** Resolves when observers that were there before have heard of a collection. */
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
