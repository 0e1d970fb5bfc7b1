import { describe, expect, test } from 'vitest'
import {
  judgeContentEncoding,
  judgeContentType,
  judgeEventStream,
  judgeGet,
  judgePostAccept,
  judgeRevisionHeader,
  namesStream,
  prefersNdjson,
  readAccept,
  takesStreamOnly,
} from './judge-headers.ts'

const both = 'application/json, text/event-stream'

describe('Accept', () => {
  // j: application/json, s: text/event-stream, n: application/x-ndjson
  test.each([
    [undefined, 'jsn'],
    ['', 'jsn'],
    ['*/*', 'jsn'],
    [both, 'js-'],
    ['text/event-stream,application/json', 'js-'],
    ['Application/JSON;q=0.9 , TEXT/Event-Stream; q=0.1', 'js-'],
    ['application/json', 'j--'],
    ['text/event-stream', '-s-'],
    ['application/*', 'j-n'],
    ['text/*, application/x-ndjson', '-sn'],
    ['*/*, text/event-stream;q=0', 'j-n'],
    ['text/event-stream;q=0.0, */*;q=0.1', 'j-n'],
    ['application/*;q=0, application/json, text/*', 'js-'],
    ['*/*;q=0', '---'],
    ['text/html', '---'],
    ['application/json-patch+json, text/event-streams', '---'],
    ['json', '---'],
    [',;,', '---'],
  ])('%o allows %s', (accept, expected) => {
    const { json, eventStream, ndjson } = readAccept(accept)
    expect(`${json ? 'j' : '-'}${eventStream ? 's' : '-'}${ndjson ? 'n' : '-'}`).toBe(expected)
  })
})

test.each([
  ['application/x-ndjson', true],
  ['application/json, application/x-ndjson', true],
  ['application/x-ndjson, */*', true],
  ['application/x-ndjson;q=0.5, text/event-stream;q=0.4', true],
  ['application/x-ndjson, text/event-stream', false],
  ['application/x-ndjson;q=0.9, text/event-stream', false],
  ['application/x-ndjson;q=0', false],
  ['application/x-ndjson;q=0.000, text/event-stream;q=0', false],
  ['application/*', false],
  ['*/*', false],
  [undefined, false],
])('%o asks for lines: %s', (accept, lines) => {
  expect(readAccept(accept).prefersNdjson).toBe(lines)
  expect(prefersNdjson(accept)).toBe(lines)
})

describe('a POST', () => {
  test.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset="UTF-8"',
    'application/json ; charset=utf8; x=y',
  ])('of %s comes in', (contentType) => {
    expect(judgeContentType(contentType)).toEqual({ ok: true })
  })

  test.each([
    undefined,
    '',
    'text/plain',
    'application/jsonp',
    'application/json-patch+json',
    'text/plain; application/json',
    'text/plain, application/json',
    'application/json, text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json; charset=utf-16',
    'application/json; charset',
  ])('of %o does not', (contentType) => {
    expect(judgeContentType(contentType)).toMatchObject({ ok: false, situation: 'unsupported_media_type' })
  })

  test.each([undefined, 'identity', ' Identity '])('encoded as %o comes in', (encoding) => {
    expect(judgeContentEncoding(encoding)).toEqual({ ok: true })
  })

  test.each(['', 'gzip', 'br', 'identity, gzip', 'identity;q=1', 'deflate'])('encoded as %o does not', (encoding) => {
    expect(judgeContentEncoding(encoding)).toMatchObject({ ok: false, situation: 'unsupported_media_type' })
  })

  test.each([undefined, both, '*/*', 'application/x-ndjson', 'application/json, application/x-ndjson'])(
    'that accepts %s comes in',
    (accept) => {
      expect(judgePostAccept(accept)).toEqual({ ok: true })
    },
  )

  test.each([
    ['text/event-stream', true],
    ['text/event-stream, application/json;q=0', true],
    ['text/*', true],
    ['application/json', false],
    [both, false],
    ['*/*', false],
    [undefined, false],
    ['application/x-ndjson', false],
  ])('that accepts %s takes streams of events only: %s', (accept, only) => {
    expect(takesStreamOnly(accept)).toBe(only)
  })

  test.each(['application/json', 'text/event-stream', 'text/html', '*/*;q=0'])('that accepts %s does not', (accept) => {
    expect(judgePostAccept(accept)).toMatchObject({
      ok: false,
      situation: 'not_acceptable',
      message: expect.stringContaining(JSON.stringify(accept)),
    })
  })
})

test.each([
  [undefined, true],
  ['text/event-stream', true],
  [both, true],
  ['*/*', true],
  ['application/x-ndjson', true],
  ['application/json', false],
  ['application/*', false],
  ['text/event-stream;q=0', false],
])('a GET that accepts %o comes in: %s', (accept, ok) => {
  expect(judgeGet(accept).ok).toBe(ok)
  expect(judgeEventStream(accept).ok).toBe(ok && accept !== 'application/x-ndjson')
})

test.each([
  [undefined, false],
  ['*/*', false],
  ['application/json, text/*', false],
  ['application/json, text/event-stream', true],
  ['Application/X-NDJSON', true],
])('%o names a type of stream: %s', (accept, names) => {
  expect(namesStream(accept)).toBe(names)
})

describe('MCP-Protocol-Version', () => {
  const supported = ['2025-11-25', '2025-06-18'] as const
  const profile = { revisions: supported, versions: { '0.1.0': '2025-06-18' }, stateless: ['2026-07-28'] } as const

  test.each([undefined, '2026-07-28', ...supported])('%s comes in', (header) => {
    expect(judgeRevisionHeader(header, profile)).toEqual({ ok: true, revision: header })
  })

  test('a version of the profile is the revision that it stands for', () => {
    expect(judgeRevisionHeader('0.1.0', profile)).toEqual({ ok: true, revision: '2025-06-18' })
  })

  test.each(['', '2024-11-05', '2099-01-01', '2025-11-25 ', '2025-11-25, 2025-11-25', 'latest', 'constructor'])(
    '%o does not',
    (header) => {
      expect(judgeRevisionHeader(header, profile)).toEqual({
        ok: false,
        situation: 'unsupported_version',
        message: `MCP-Protocol-Version must be one of 2026-07-28, 2025-11-25, 2025-06-18, got ${JSON.stringify(header)}`,
      })
    },
  )
})
