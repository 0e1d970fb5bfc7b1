import performanceHooks from 'node:perf_hooks'
import { collectDefaultMetrics, type Registry } from 'prom-client'

/** Gauges whose names end as those of counters do, which `promtool check metrics` objects to. */
const misnamed = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total']

/**
 * Registers what prom-client measures of a process and its event loop.
 *
 * @returns ends the measuring. prom-client itself has no way to end it, so what it starts is noted as it starts it.
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
