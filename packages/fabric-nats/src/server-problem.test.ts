import { expect, test } from 'vitest'
import { serverProblem } from './server-problem.ts'

test.each([
  ['2.9.10', 3],
  ['2.9.20', 2],
  ['2.8.4', 5],
  ['1.4.1', 3],
])('%s with %i replicas is refused', (version, replicas) => {
  expect(serverProblem(version, replicas)).toBe(
    `expected nats-server 2.9.21 or newer for replicas: ${replicas}, got ${version}`,
  )
})

test.each([
  ['2.9.10', 1],
  ['2.9.21', 3],
  ['2.10.0', 3],
  ['2.10.0-preview.1', 3],
  ['2.15.1', 3],
  ['3.0.0', 3],
  [undefined, 3],
])('%s with %i replicas is accepted', (version, replicas) => {
  expect(serverProblem(version, replicas)).toBeUndefined()
})
