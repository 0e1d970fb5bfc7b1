import { gauge, readCounter } from './metric-kinds.ts'
import type { FileGauges } from './node-gauges.ts'
import type { Sample, TalliedMetric } from './tallied-metric.ts'

/**
 * The metrics of the audit and event files.
 *
 * @param gauges called at the scrape
 */
export function fileMetrics(gauges: () => readonly FileGauges[]): TalliedMetric[] {
  const byFile = (value: (file: FileGauges) => number) => (): Sample[] =>
    gauges().map((file) => ({ labels: { file: file.name }, value: value(file) }))

  return [
    gauge(
      'junctor_file_writable',
      '1 when the audit or the event file can be written; 0 while it cannot.',
      byFile(({ problem }) => (problem === undefined ? 1 : 0)),
    ),
    readCounter(
      'junctor_file_lines_lost_total',
      'Lines of the audit or the event file that were lost because they could not be written in time.',
      byFile(({ lost }) => lost),
    ),
  ]
}
