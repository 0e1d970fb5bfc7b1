import { expect, test } from 'vitest'
import { mcpProfile } from '../profiles/mcp.ts'
import { JunctorError, wireErrorFrom } from './local-error.ts'

const view = { revision: '2025-11-25', dialect: '2.0', profile: mcpProfile } as const
const secret = '/home/me/.ssh/id_rsa'

test('a local error keeps its code and its cause', () => {
  const cause = new Error('ENOENT')
  const error = new JunctorError('BACKEND_UNREACHABLE', 'no such command', { cause })
  expect(error.problem).toBe('no such command')
  expect(error).toMatchObject({ name: 'JunctorError', code: 'BACKEND_UNREACHABLE', cause })
  expect(error.message).toBe('[BACKEND_UNREACHABLE] no such command')
})

test.each([
  ['an Error', new Error(secret)],
  ['an Error with a cause', new TypeError('x', { cause: new Error(secret) })],
  ['a local error', new JunctorError('BUG', secret)],
  ['a string', secret],
  ['nothing', undefined],
  ['something with a code of its own', { code: -32000, message: secret, data: secret }],
])('%s becomes an internal error without details', (_name, thrown) => {
  const error = wireErrorFrom(thrown, view)
  expect(error).toMatchObject({ code: -32603, message: 'Internal error' })
  expect(error.data?.value()).toEqual({ reason: 'internal_error', retryable: false })
})

test.each([
  ['BACKEND_UNREACHABLE', 'backend_unavailable'],
  ['BACKEND_EXITED', 'backend_exited'],
  ['TIMED_OUT', 'deadline_exceeded'],
  ['LIMIT_REACHED', 'overloaded'],
] as const)('%s is sent as %s, without its message', (code, reason) => {
  const error = wireErrorFrom(new JunctorError(code, secret), view)
  expect(error.data?.value()).toMatchObject({ reason })
  expect(error.message).not.toContain(secret)
})
