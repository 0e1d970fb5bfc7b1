import { expect, test } from 'vitest'
import { readSaid } from './said.ts'

test.each([
  { session: 's_1', ask: 'n-1', text: '{"result":{}}' },
  { session: 's_1', method: 'notifications/roots/list_changed', text: '' },
])('what a client said to another node is read back: %j', (said) => {
  expect(readSaid(JSON.parse(JSON.stringify(said)))).toEqual(said)
})

test.each([
  ['no object', 's_1'],
  ['no session', { ask: 'n-1', text: '{}' }],
  ['no text', { session: 's_1', ask: 'n-1' }],
  ['neither a question nor a method', { session: 's_1', text: '' }],
])('what has %s is not read', (_, value) => {
  expect(readSaid(value)).toBeUndefined()
})
