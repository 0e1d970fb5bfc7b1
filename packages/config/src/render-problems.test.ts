import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { Problem } from './problem.ts'
import { renderProblems } from './render-problems.ts'

const problems: readonly Problem[] = [
  {
    kind: 'wrong_value',
    file: 'junctor.yaml',
    line: 3,
    column: 9,
    path: 'timeout',
    got: '"soon"',
    expected: 'a duration',
    next: 'Correct it, for example: timeout: 30s',
  },
  {
    kind: 'syntax',
    file: 'junctor.yaml',
    line: 9,
    column: 1,
    path: '',
    got: 'a tab',
    expected: 'text that can be read',
    next: 'Correct it.',
  },
]

test('each problem has its position, its description and the next step', () => {
  expect(renderProblems(problems)).toBe(`junctor.yaml:3:9  timeout
  got "soon", expected a duration
  Correct it, for example: timeout: 30s

junctor.yaml:9:1
  got a tab, expected text that can be read
  Correct it.
`)
})

test('colour is used only on request, and does not change the text', () => {
  const colored = renderProblems(problems, { color: true })
  expect(colored).toContain('\u001b[1mjunctor.yaml:3:9')
  expect(stripVTControlCharacters(colored)).toBe(renderProblems(problems))
})
