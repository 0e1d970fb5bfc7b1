import { expect, test } from 'vitest'
import { JunctorError } from '@junctor/protocol'
import { reasonWithCauses } from './reason-with-causes.ts'

const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
const unreachable = new JunctorError('BACKEND_UNREACHABLE', 'no answer', { cause: refused })

test.each<[unknown, string]>([
  [new Error('broken'), 'broken'],
  [new TypeError('fetch failed', { cause: refused }), 'fetch failed: ECONNREFUSED'],
  [new Error('no tokens', { cause: unreachable }), 'no tokens: no answer: ECONNREFUSED'],
  [new Error('spawn x ENOENT', { cause: new Error('ENOENT') }), 'spawn x ENOENT'],
  [new Error('broken', { cause: 'not an error' }), 'broken'],
  ['a text', 'a text'],
])('the reason of %o is %s', (thrown, reason) => {
  expect(reasonWithCauses(thrown)).toBe(reason)
})
