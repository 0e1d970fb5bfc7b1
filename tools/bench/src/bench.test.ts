import { expect, test } from 'vitest'
import { runBench } from './bench.ts'
import { errorsOf, printJson, printReport } from './report.ts'
import { rows } from './rows.ts'

// This test does not check speed: it checks that every row can be measured, and that all answers are right. Most of the
// time is spent on starting twenty processes.
test('every row is measured, and every answer is right', { timeout: 300_000 }, async () => {
  const settings = { rounds: 1, warmUps: 0, loadMs: 20, warmUpMs: 10, sessions: 20, pieces: 100, only: [] }
  const report = await runBench(settings, () => {})
  expect(errorsOf(report)).toEqual([])
  expect(report.rows.map(({ name }) => name)).toEqual(rows.map(({ name }) => name))
  for (const row of report.rows) expect(row).toMatchObject({ verdict: expect.not.stringMatching('void') })
  for (const { name } of rows) expect(printReport(report)).toContain(name)
  expect(JSON.parse(printJson(report))).toMatchObject({ rows: rows.map(({ name }) => ({ name })) })
})
