import { openBackend } from '@junctor/plugin-sdk/testing'
import { expect, test } from 'vitest'
import { rowsNamed, runBench } from './bench.ts'
import { errorsOf, printJson, printReport } from './report.ts'
import { rows } from './rows.ts'
import { hostilePlugin } from './servers/hostile-plugin.ts'

/** Without the rows that take the same steps as another one: a start with a warm cache has one with a cold cache before it. */
const measured = rows.filter(({ kind, name }) =>
  kind === 'neighbour' ? name === 'beside-progress' : name !== 'start-cold' && name !== 'start-packed',
)
const kinds = [...new Set(measured.map(({ kind }) => kind))]

// These tests do not check speed: they check that rows can be measured, and that all answers are right. Most of the time is
// spent on starting dozens of processes.
test.each(kinds)('rows are measured, and every answer is right: %s', { timeout: 180_000 }, async (kind) => {
  const only = measured.filter((row) => row.kind === kind).map(({ name }) => name)
  const settings = { rounds: 1, warmUps: 0, loadMs: 20, warmUpMs: 10, sessions: 20, pieces: 100, only }
  const report = await runBench(settings, () => {})
  expect(errorsOf(report)).toEqual([])
  expect(report.rows.map(({ name }) => name)).toEqual(only)
  for (const row of report.rows) expect(row).toMatchObject({ verdict: expect.not.stringMatching('void') })
  for (const name of only) expect(printReport(report)).toContain(name)
  expect(JSON.parse(printJson(report))).toMatchObject({ rows: only.map((name) => ({ name })) })
})

// Nothing reads what becomes of a harmful call, so a row whose tool is not there would measure no harm.
test('the hostile plugin has a tool for the harm of each row', async () => {
  const client = await openBackend(hostilePlugin)
  const tools = (await client.listTools()).map(({ name }) => name)
  await client.close()
  const harms = rows.flatMap((row) => (row.kind === 'neighbour' ? [row.harm] : []))
  expect(tools.toSorted()).toEqual(harms.toSorted())
})

test('without names, all rows are measured', () => {
  expect(rowsNamed([])).toEqual(rows)
})
