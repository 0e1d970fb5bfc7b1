import type { BenchReport } from './bench.ts'
import type { RowResult } from './compare.ts'
import type { Bar } from './rows.ts'
import type { MeasuredCell } from './run-rounds.ts'
import { median, spread, type Spread } from './statistics.ts'

/** All wrong or missing answers. */
export function errorsOf({ cells }: BenchReport): readonly string[] {
  return cells.flatMap(({ subject, measurements }) =>
    measurements.flatMap(({ errors }) => errors.map((error) => `${subject.name}: ${error}`)),
  )
}

/** The report as tables. */
export function printReport(report: BenchReport): string {
  const { node, processors, load, cells, rows } = report
  const errors = errorsOf(report)
  return [
    `Node ${node}, ${processors} processors; load of the machine ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after`,
    '',
    table(
      ['program', 'in flight', 'req/s, median (min–max)', 'p50 ms', 'p99 ms', 'server µs', 'client'],
      cells.map(cellLine),
    ),
    '',
    table(['row', 'value (min–max)', 'against', 'bar', '', 'what it is'], rows.map(rowLine)),
    ...(errors.length === 0
      ? []
      : ['', `${errors.length} wrong or missing answers, the first ones:`, ...errors.slice(0, 5)]),
  ].join('\n')
}

/** The report as JSON. */
export function printJson({ cells, ...report }: BenchReport): string {
  const named = cells.map(({ subject, lanes, measurements }) => ({ subject: subject.name, lanes, measurements }))
  return JSON.stringify({ ...report, cells: named })
}

function cellLine({ subject, lanes, measurements }: MeasuredCell): string[] {
  const of = (pick: (measurement: (typeof measurements)[number]) => number): number => median(measurements.map(pick))
  const speed = spread(measurements.map(({ perSecond }) => perSecond))
  return [
    subject.title,
    String(lanes),
    printSpread(speed, 0),
    of(({ p50 }) => p50).toFixed(3),
    of(({ p99 }) => p99).toFixed(2),
    of(({ cpu }) => cpu).toFixed(1),
    of(({ clientLoad }) => clientLoad).toFixed(2),
  ]
}

function rowLine({ name, title, baseline, value, bar, verdict }: RowResult): string[] {
  return [name, printSpread(value, 3), baseline ?? '', printBar(bar), verdict, title]
}

function printSpread({ median: middle, min, max }: Spread, digits: number): string {
  return `${middle.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`
}

function printBar(bar: Bar | undefined): string {
  if (bar?.least !== undefined) return `≥ ${bar.least}`
  return bar?.below === undefined ? '' : `< ${bar.below}`
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const all = [head, ...lines]
  const widths = head.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0)))
  return all
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
