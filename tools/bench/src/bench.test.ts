import { expect, test } from 'vitest'
import { rowsNamed, runBench } from './bench.ts'
import { errorsOf, printJson, printReport } from './report.ts'
import { rows } from './rows.ts'

const kinds = [...new Set(rows.map(({ kind }) => kind))]

// These tests do not check speed: they check that every row can be measured, and that all answers are right. Most of the
// time is spent on starting dozens of processes.
test.each(kinds)('every row is measured, and every answer is right: %s', { timeout: 180_000 }, async (kind) => {
  const only = rows.filter((row) => row.kind === kind).map(({ name }) => name)
  const settings = { rounds: 1, warmUps: 0, loadMs: 20, warmUpMs: 10, sessions: 20, pieces: 100, only }
  const report = await runBench(settings, () => {})
  expect(errorsOf(report)).toEqual([])
  expect(report.rows.map(({ name }) => name)).toEqual(only)
  for (const row of report.rows) expect(row).toMatchObject({ verdict: expect.not.stringMatching('void') })
  for (const name of only) expect(printReport(report)).toContain(name)
  expect(JSON.parse(printJson(report))).toMatchObject({ rows: only.map((name) => ({ name })) })
})

test('without names, all rows are measured', () => {
  expect(rowsNamed([])).toEqual(rows)
})
