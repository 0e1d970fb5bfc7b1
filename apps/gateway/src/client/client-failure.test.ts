import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { clientFailure } from './client-failure.ts'

const url = 'http://127.0.0.1:3000/mcp'
const refused = new TypeError('fetch failed', {
  cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
})
const wrongScheme = new TypeError('fetch failed', {
  cause: Object.assign(new Error('0A:SSL routines:wrong version number'), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }),
})
const lost = new TypeError('fetch failed', { cause: new Error('other side closed') })

test.each([
  [new ProtocolError(-32602, 'no'), url, 'no'],
  [new Error('Connection closed'), undefined, 'Connection closed'],
  [refused, url, `nothing listens at ${url}`],
  [wrongScheme, url, `expected a server that can be reached at ${url}, got a server without TLS`],
  [lost, url, 'fetch failed: other side closed'],
  ['thrown', url, 'thrown'],
])('%s at %s', (error, at, message) => {
  const failure = clientFailure(error, at, true)
  expect(failure.message).toBe(message)
  expect(failure.next).toMatch(/\.$/)
})

test.each([
  [url, false, `${url} takes connections and does not answer`],
  [url, true, 'no answer came in time'],
  [undefined, false, 'no answer came in time'],
])('of a gateway at %s that does not answer, connected before: %s', (at, connected, message) => {
  const silent = new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out')
  expect(clientFailure(silent, at, connected).message).toBe(message)
})

test('a URL of another scheme is to be corrected', () => {
  expect(clientFailure(wrongScheme, url, false).next).toBe(
    'Begin --url with http:// instead of https://, or correct its port.',
  )
})

test.each([
  [{ reason: 'deadline_exceeded' }, /^Raise timeout for the backend/],
  [{ reason: 'backend_unavailable', backend: 'far' }, 'Try again later; look at the status of the backend far.'],
  [{ reason: 'too_many_requests', retryAfterMs: 1200 }, /^Send the request again after data\.retryAfterMs 1200, /],
  [{ reason: 'of-their-own' }, 'This is the error -32000 of the tool or its server: look at their log.'],
  [undefined, 'This is the error -32000 of the tool or its server: look at their log.'],
])('what to do about an error with %j', (data, next) => {
  expect(clientFailure(new ProtocolError(-32000, 'no', data), url, true).next).toMatch(next)
})

function httpError(text: string): SdkHttpError {
  const message = `Error POSTing to endpoint: ${text}`
  return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, message, { status: 429, statusText: '', text })
}

test.each([
  [
    '{"error":{"code":-32000,"message":"Too many requests: at most 1","data":{"reason":"too_many_requests"}}}',
    'Too many requests: at most 1',
    /^Send the request again after data.retryAfterMs/,
  ],
  ['{"error":"busy"}', 'Error POSTing to endpoint: {"error":"busy"}', 'Check --url and --key.'],
  ['busy', 'Error POSTing to endpoint: busy', 'Check --url and --key.'],
])('of a refusal over HTTP with %s, the message and the next step', (text, message, next) => {
  const failure = clientFailure(httpError(text), url, false)
  expect(failure.message).toBe(message)
  expect(failure.next).toMatch(next)
})
