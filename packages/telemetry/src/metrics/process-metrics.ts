import performanceHooks from 'node:perf_hooks'
import { collectDefaultMetrics, type Registry } from 'prom-client'

/** Gauges whose names end like those of counters, which `promtool check metrics` rejects. */
const misnamed = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total']

/**
 * Registers prom-client's measurements of a process and its event loop.
 *
 * @returns stops the measurements. prom-client itself cannot stop them, so everything that it starts is recorded here.
 */
export function collectProcessMetrics(registry: Registry): () => void {
  const { PerformanceObserver, monitorEventLoopDelay } = performanceHooks
  const stops: (() => void)[] = []
  performanceHooks.monitorEventLoopDelay = (options) => {
    const monitor = monitorEventLoopDelay(options)
    stops.push(() => void monitor.disable())
    return monitor
  }
  performanceHooks.PerformanceObserver = new Proxy(PerformanceObserver, {
    construct(target, [callback]: ConstructorParameters<typeof PerformanceObserver>) {
      const observer = new target(callback)
      stops.push(() => observer.disconnect())
      return observer
    },
  })
  try {
    collectDefaultMetrics({ register: registry })
  } finally {
    Object.assign(performanceHooks, { PerformanceObserver, monitorEventLoopDelay })
  }
  for (const name of misnamed) registry.removeSingleMetric(name)
  return () => {
    for (const stop of stops) stop()
  }
}
