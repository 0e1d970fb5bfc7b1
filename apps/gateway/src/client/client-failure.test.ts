import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { clientFailure } from './client-failure.ts'

const url = 'http://127.0.0.1:3000/mcp'
const refused = new TypeError('fetch failed', {
  cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
})
const lost = new TypeError('fetch failed', { cause: new Error('other side closed') })

test.each([
  [new ProtocolError(-32602, 'no'), url, 'the gateway answered with the error -32602: no'],
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
