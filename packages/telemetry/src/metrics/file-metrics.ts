import type { FileReading } from './readings.ts'
import type { TalliedMetric } from './tallied-metric.ts'

/**
 * Whether what happened can be written down.
 *
 * @param readings at the scrape
 */
export function fileMetrics(readings: () => readonly FileReading[]): TalliedMetric[] {
  return [
    {
      name: 'junctor_file_writable',
      help: '1 when the audit or the event file can be written; 0 while it cannot.',
      type: 'gauge',
      samples: () =>
        readings().map(({ name, problem }) => ({ labels: { file: name }, value: problem === undefined ? 1 : 0 })),
    },
    {
      name: 'junctor_file_lines_lost_total',
      help: 'Lines of the audit or the event file that were lost because they could not be written in time.',
      type: 'counter',
      samples: () => readings().map(({ name, lost }) => ({ labels: { file: name }, value: lost })),
    },
  ]
}
