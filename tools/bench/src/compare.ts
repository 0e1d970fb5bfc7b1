import type { Measurement } from './cell.ts'
import type { Bar, ComparedRow } from './rows.ts'
import { median, type Spread, spread } from './statistics.ts'

/** Whether a value reaches its bar. `void`: there is no value, because answers were wrong or missing. */
export type RowVerdict = 'met' | 'missed' | 'no bar' | 'void'

/** The result of a row. */
export interface RowResult {
  readonly name: string
  readonly title: string
  /** The baseline that was used. */
  readonly baseline: string | undefined
  readonly value: Spread
  readonly bar: Bar | undefined
  readonly verdict: RowVerdict
}

/** The measurements of one subject under one load, by round. */
export type MeasurementsOf = (subject: string, lanes: number) => readonly Measurement[]

/**
 * Compares round by round, because a disturbance of the machine affects neighbouring measurements alike, and returns
 * the median of the rounds.
 */
export function compare(row: ComparedRow, measurementsOf: MeasurementsOf): RowResult {
  const { name, title, bar, lanes } = row
  const baseline = row.baselines
    .toSorted((a, b) => speed(measurementsOf(a, lanes)) - speed(measurementsOf(b, lanes)))
    .at(-1)
  const bare = measurementsOf(baseline ?? '', lanes)
  const own = measurementsOf(row.subject, lanes)
  const value = spread(own.map((measurement, round) => compared(row, measurement, bare[round])))
  const failed = [...own, ...bare].some(({ errors }) => errors.length > 0)
  return { name, title, baseline, value, bar, verdict: failed ? 'void' : judge(value.median, bar) }
}

/** Whether a value reaches its bar. */
export function judge(value: number, bar: Bar | undefined): RowVerdict {
  if (Number.isNaN(value)) return 'void'
  if (bar === undefined) return 'no bar'
  return value >= (bar.least ?? -Infinity) && value < (bar.below ?? Infinity) ? 'met' : 'missed'
}

function speed(measurements: readonly Measurement[]): number {
  return median(measurements.map(({ perSecond }) => perSecond))
}

function compared({ value }: ComparedRow, own: Measurement, bare: Measurement | undefined): number {
  if (bare === undefined) return NaN
  return value === 'ratio' ? own.perSecond / bare.perSecond : own.p50 - bare.p50
}
