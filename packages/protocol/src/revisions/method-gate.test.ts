import { describe, expect, test } from 'vitest'
import { methods } from '../methods.ts'
import { type Revision, revisions } from '../revision.ts'
import { methodGate, type Side } from './method-gate.ts'

const openIn = (method: string, to: Side): string =>
  revisions.map((revision, at) => (methodGate(method, to, revision) === 'open' ? 'ABCDE'.charAt(at) : '-')).join('')

describe('the requests and notifications that a server receives in each revision', () => {
  test.each([
    ['initialize', 'ABCD-'],
    ['ping', 'ABCD-'],
    ['server/discover', '----E'],
    ['tools/call', 'ABCDE'],
    ['resources/subscribe', 'ABCD-'],
    ['completion/complete', 'ABCDE'],
    ['logging/setLevel', 'ABCD-'],
    ['subscriptions/listen', '----E'],
    ['tasks/get', '---DE'],
    ['tasks/result', '---D-'],
    ['tasks/list', '---D-'],
    ['tasks/update', '----E'],
    ['notifications/initialized', 'ABCD-'],
    ['notifications/cancelled', 'ABCDE'],
    ['sampling/createMessage', '-----'],
  ])('%s: %s', (method, expected) => {
    expect(openIn(method, 'server')).toBe(expected)
  })
})

describe('the requests and notifications that a client receives in each revision', () => {
  test.each([
    ['sampling/createMessage', 'ABCDE'],
    ['roots/list', 'ABCDE'],
    ['elicitation/create', '--CDE'],
    ['ping', 'ABCD-'],
    ['notifications/elicitation/complete', '---D-'],
    ['notifications/tasks/status', '---D-'],
    ['notifications/resources/updated', 'ABCDE'],
    ['tools/call', '-----'],
  ])('%s: %s', (method, expected) => {
    expect(openIn(method, 'client')).toBe(expected)
  })
})

test('every method is open in some revision', () => {
  const nowhere = Object.values(methods).filter(
    (method) => openIn(method, 'server') + openIn(method, 'client') === '-'.repeat(10),
  )
  expect(nowhere).toEqual([])
})

test('a method of another revision is closed, a method of no revision is unknown', () => {
  const gate = (method: string, revision: Revision): string => methodGate(method, 'server', revision)
  expect(gate('tasks/get', '2024-11-05')).toBe('closed')
  expect(gate('initialize', '2026-07-28')).toBe('closed')
  expect(
    ['', 'tools/Call', 'add', 'constructor', '__proto__', 'toString'].map((name) => gate(name, '2025-11-25')),
  ).toEqual(Array(6).fill('unknown'))
})
