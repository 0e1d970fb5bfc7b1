import { expect, test } from 'vitest'
import { readCommandLine } from './command-line.ts'
import { rows } from './rows.ts'

test('without arguments, five rounds of everything are run', () => {
  expect(readCommandLine([])).toMatchObject({ kind: 'run', json: false, settings: { rounds: 5, only: [] } })
})

test('arguments are accepted in the form in which a package manager passes them on', () => {
  const words = ['--', '--quick', '--rounds', '7', '--only', 'list', '--only', 'latency', '--json']
  expect(readCommandLine(words)).toMatchObject({
    kind: 'run',
    json: true,
    settings: { rounds: 7, loadMs: 500, only: ['list', 'latency'] },
  })
})

test('help names every row', () => {
  const help = readCommandLine(['--help'])
  for (const { name } of rows) expect(help).toMatchObject({ kind: 'help', text: expect.stringContaining(name) })
})

test.each([
  [['--rounds', '0'], 'a number from 1 on, got 0'],
  [['--rounds', 'many'], 'got many'],
  [['--only', 'everything'], 'the name of a row, got everything'],
  [['--fast'], '--fast'],
])('%j cannot be used', (words, problem) => {
  expect(readCommandLine(words)).toMatchObject({ kind: 'unusable', problem: expect.stringContaining(problem) })
})
