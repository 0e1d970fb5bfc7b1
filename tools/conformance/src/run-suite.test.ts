import { expect, it } from 'vitest'
import { runSuite } from './run-suite.ts'
import { withScratch } from './with-scratch.ts'

/** A suite that runs this program; its last argument is the output folder. */
function run(program: string): ReturnType<typeof runSuite> {
  const code = `const fs = require('node:fs'); const out = process.argv.at(-1); ${program}`
  return withScratch((scratch) => runSuite({ name: 'a suite', command: ['-e', code, '--'] }, [], scratch))
}

const write = (check: object): string =>
  `fs.mkdirSync(out + '/x'); fs.writeFileSync(out + '/x/checks.json', ${JSON.stringify(JSON.stringify([check]))});`

it('returns the findings of a suite', async () => {
  const found = await run(write({ id: 'a', status: 'SUCCESS' }))
  expect(found).toEqual({ passed: 1, failures: [], warnings: [] })
})

it('reports the failures of a suite', async () => {
  const found = await run(`${write({ id: 'a', status: 'FAILURE', errorMessage: 'no' })} process.exit(1)`)
  expect(found).toEqual({ passed: 0, failures: ['x / a: no'], warnings: [] })
})

it('reports a warning as a warning, with every exit code of the suite', async () => {
  const found = await run(`${write({ id: 'a', status: 'WARNING', errorMessage: 'late' })} process.exit(1)`)
  expect(found).toEqual({ passed: 0, failures: [], warnings: ['x / a: late'] })
})

it('reports a crash of a suite as a failure, with its last output', async () => {
  const found = await run(`${write({ id: 'a', status: 'SUCCESS' })} console.error('out of luck'); process.exit(3)`)
  expect(found).toEqual({ passed: 1, failures: ['the suite ended with 3: out of luck'], warnings: [] })
})

it('reports a suite without checks as a failure', async () => {
  const found = await run('')
  expect(found.failures).toEqual(['the suite ended with 0: '])
})
