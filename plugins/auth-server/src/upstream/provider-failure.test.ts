import { HttpRequestError } from '@junctor/plugin-sdk/http'
import { ClientError } from 'openid-client'
import { expect, test } from 'vitest'
import { failureOf } from './provider-failure.ts'

/** An error of the library as it throws it. */
const thrown = (code: string, cause?: unknown): Error =>
  Object.assign(new ClientError('a message', { cause: new Error('its cause', { cause }) }), { code })

test.each([
  [
    'none of its keys fits its ID token, or several do (OAUTH_KEY_SELECTION_FAILED)',
    thrown('OAUTH_KEY_SELECTION_FAILED'),
  ],
  ['its answer is not JSON (OAUTH_PARSE_ERROR)', thrown('OAUTH_PARSE_ERROR')],
  ['OAUTH_SOMETHING_NEW', thrown('OAUTH_SOMETHING_NEW')],
  [
    'it does not answer: no connection: certificate has expired',
    new Error('x', {
      cause: new HttpRequestError('unreachable', 'no connection: certificate has expired', { sent: false }),
    }),
  ],
  ['TypeError', new TypeError('a secret')],
])('the log says: %s', (problem, error) => {
  expect(failureOf(error)).toEqual({ kind: 'failed', problem })
})

test('the log has the status of an answer, and nothing else of it', () => {
  const cause = new Response('a secret', { status: 429, headers: { location: 'a secret' } })
  const error = Object.assign(new Error('x', { cause }), { code: 'OAUTH_RESPONSE_IS_NOT_CONFORM' })
  const problem = 'it answers with an unexpected status (OAUTH_RESPONSE_IS_NOT_CONFORM, HTTP 429)'
  expect(failureOf(new Error('y', { cause: error }))).toEqual({ kind: 'failed', problem })
})
