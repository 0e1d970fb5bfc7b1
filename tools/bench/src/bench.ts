import { availableParallelism, loadavg } from 'node:os'
import type { Cell, Measurement } from './cell.ts'
import type { Settings } from './command-line.ts'
import { compare, type RowResult } from './compare.ts'
import { measureNeighbour } from './measure-neighbour.ts'
import { measureSessions } from './measure-sessions.ts'
import { measureStart, packedOnce } from './measure-start.ts'
import { measureStream } from './measure-stream.ts'
import { type ComparedRow, type Row, rows } from './rows.ts'
import { type MeasuredCell, runRounds } from './run-rounds.ts'
import { subjects } from './subjects.ts'

/** All measurements of a run. */
export interface BenchReport {
  readonly node: string
  readonly processors: number
  /** The load average of the last minute, before and after: what else the machine did. */
  readonly load: { readonly before: number; readonly after: number }
  readonly cells: readonly MeasuredCell[]
  readonly rows: readonly RowResult[]
}

/** Runs the rows that the settings name; all rows when they name none. */
export async function runBench(settings: Settings, onProgress: (progress: string) => void): Promise<BenchReport> {
  const before = loadOfMachine()
  const wanted = rowsNamed(settings.only)
  const cells = await runRounds(cellsOf(wanted), settings, onProgress)
  const measurementsOf = (name: string, lanes: number): readonly Measurement[] =>
    cells.find((cell) => cell.subject.name === name && cell.lanes === lanes)?.measurements ?? []
  const results: RowResult[] = []
  const packed = packedOnce()
  for (const row of wanted) {
    if (row.kind === 'compared') results.push(compare(row, measurementsOf))
    else {
      onProgress(row.title)
      results.push(await measureRow(row, settings, packed))
    }
  }
  return {
    node: process.version,
    processors: availableParallelism(),
    load: { before, after: loadOfMachine() },
    cells,
    rows: results,
  }
}

/** The rows with these names, in the order of the report; all rows when there are no names. */
export function rowsNamed(names: readonly string[]): readonly Row[] {
  return rows.filter(({ name }) => names.length === 0 || names.includes(name))
}

/** A row that is measured in its own processes. */
function measureRow(
  row: Exclude<Row, ComparedRow>,
  { rounds, pieces, sessions, loadMs }: Settings,
  packed: () => Promise<string>,
): Promise<RowResult> {
  if (row.kind === 'neighbour') return measureNeighbour(row, rounds, loadMs)
  if (row.kind === 'stream') return measureStream(row, rounds, pieces)
  return row.kind === 'start' ? measureStart(row, rounds, packed) : measureSessions(row, rounds, sessions)
}

/** Each subject once for each number of lanes that it is needed with, in the order of the subjects. */
function cellsOf(wanted: readonly Row[]): readonly Cell[] {
  const compared = wanted.filter((row): row is ComparedRow => row.kind === 'compared')
  const lanes = new Set(compared.map((row) => row.lanes))
  return [...lanes].flatMap((count) =>
    subjects
      .filter(({ name }) => compared.some((row) => row.lanes === count && isPartOf(row, name)))
      .map((subject) => ({ subject, lanes: count })),
  )
}

function isPartOf({ subject, baselines }: ComparedRow, name: string): boolean {
  return subject === name || baselines.includes(name)
}

function loadOfMachine(): number {
  return loadavg()[0] ?? NaN
}
