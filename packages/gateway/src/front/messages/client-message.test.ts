import { askNumber } from '@junctor/exchange'
import { expect, test } from 'vitest'
import { readClientMessage } from './client-message.ts'

test.each([
  { session: 's_1', ask: 12, text: '{"result":{}}' },
  { session: 's_1', method: 'notifications/roots/list_changed', text: '' },
])('a client message is read by another node: %j', (message) => {
  expect(readClientMessage(JSON.parse(JSON.stringify(message)))).toEqual({ kind: 'read', value: message })
})

test('a node of an earlier version names a question by its id', () => {
  const message = { session: 's_1', ask: 'n-1', text: '{}' }
  expect(readClientMessage(message)).toEqual({ kind: 'read', value: { ...message, ask: askNumber('n-1') } })
})

test.each([
  ['no object', 's_1'],
  ['no session', { ask: 12, text: '{}' }],
  ['no id of a question', { session: 's_1', ask: null, text: '{}' }],
  ['no text', { session: 's_1', ask: 12 }],
  ['neither a question nor a method', { session: 's_1', text: '' }],
])('a value with %s is not read', (_, value) => {
  expect(readClientMessage(value)).toMatchObject({ kind: 'unreadable' })
})
