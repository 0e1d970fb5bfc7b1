import { readFileSync } from 'node:fs'
import { JunctorError } from '@junctor/protocol'
import { expect, it } from 'vitest'
import { ClientRefusal } from './client-refusal.ts'
import { publicMessage } from './public-message.ts'

function thrownBy(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

it.each([
  [new Error('No more paper'), 'No more paper'],
  [new ClientRefusal('roots/list', { code: -32601, message: 'No' }), 'No answer to roots/list: No'],
])('the message of an author is returned: %s', (thrown, message) => {
  expect(publicMessage(thrown)).toBe(message)
})

it.each([
  ['an error of the operating system', thrownBy(() => readFileSync('/no/such/secret/path'))],
  ['an error of this program', new JunctorError('BUG', 'in /srv/junctor')],
  ['a value that is not an error', 'secret'],
  ['nothing', undefined],
])('%s is not returned', (_, thrown) => {
  expect(publicMessage(thrown)).toBeUndefined()
})
