import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { clientFailure } from './client-failure.ts'

const url = 'http://127.0.0.1:3000/mcp'
const refused = new TypeError('fetch failed', {
  cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
})
const lost = new TypeError('fetch failed', { cause: new Error('other side closed') })

test.each([
  [new ProtocolError(-32602, 'no'), url, 'no'],
  [new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out'), url, 'no answer came in time'],
  [new Error('Connection closed'), undefined, 'Connection closed'],
  [new TypeError('Invalid URL'), 'foo', 'expected a URL, got "foo"'],
  [new TypeError('fetch failed'), 'ftp://x', 'expected a URL, got "ftp://x"'],
  [refused, url, `nothing listens at ${url}`],
  [lost, url, 'fetch failed: other side closed'],
  ['thrown', url, 'thrown'],
])('%s at %s', (error, at, message) => {
  const failure = clientFailure(error, at)
  expect(failure.message).toBe(message)
  expect(failure.next).toMatch(/\.$/)
})

test.each([
  [{ reason: 'deadline_exceeded' }, /^Raise timeout for the backend/],
  [{ reason: 'of-their-own' }, 'This is the error -32000 of the tool or its server: look at their log.'],
  [undefined, 'This is the error -32000 of the tool or its server: look at their log.'],
])('what to do about an error with %j', (data, next) => {
  expect(clientFailure(new ProtocolError(-32000, 'no', data), url).next).toMatch(next)
})
