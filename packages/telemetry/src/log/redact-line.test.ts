import { expect, test } from 'vitest'
import { createLog } from './create-log.ts'
import { redactLine } from './redact-line.ts'
import { redacted } from './redact-text.ts'

/** Returns the log line of one message with these fields. */
function printed(message: string, fields?: Readonly<Record<string, unknown>>): string {
  const written: string[] = []
  createLog({ write: (line) => written.push(line) }, { level: 'debug' }).error(message, fields)
  expect(written).toHaveLength(1)
  const [line = ''] = written
  expect(line.endsWith('}\n')).toBe(true)
  expect(() => JSON.parse(line) as unknown).not.toThrow()
  return line
}

const session = `s_${'Ab3-_xYz901'.repeat(4).slice(0, 43)}`
const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnLWNhbmFyeS1jYW5hcnk'

/** Texts that contain a secret, and the part that must not remain. */
const secrets: readonly (readonly [text: string, canary: string])[] = [
  ['Bearer canary-1/2+3~4=', 'canary'],
  ['sent authorization: bearer   canary.x', 'canary'],
  ['Authorization: Basic Y2FuYXJ5OmNhbmFyeQ==', 'Y2FuYXJ5'],
  ['got Basic Y2FuYXJ5OmNhbmFyeQ==', 'Y2FuYXJ5'],
  ['Authorization: Digest username="a", response="canary"', 'canary'],
  ['Cookie: a="b"; sid=canary; c=d', 'canary'],
  ['Set-Cookie: sid=canary; HttpOnly', 'canary'],
  ['x-api-key: canary', 'canary'],
  [session, session.slice(2)],
  [`/mcp session ${session} ended`, session.slice(2)],
  ['stream of sess_canarycanarycanary is gone', 'canary'],
  [jwt, 'eyJzdWIi'],
  [`refused "${jwt}"`, 'c2lnLWNhbmFyeS'],
  ['connect postgres://user:canary@db:5432/x failed', 'canary'],
  ['redis://:canary@cache', 'canary'],
  ['https://canary@host/', 'canary'],
  ['amqp://user:ca/nary@host/', 'nary'],
  ['nats://u:can@canary@host', 'canary'],
  ['GET https://x.example/a?b=c&token=canary&d=e', 'canary'],
  ['https://x.example/?access_token=canary', 'canary'],
  ['https://x.example/?api_key=canary#x', 'canary'],
  ['https://x.example/?KEY=canary', 'canary'],
  ['?client_secret=canary', 'canary'],
  ['?password=canary', 'canary'],
  ['GITHUB_TOKEN=canary node server.js', 'canary'],
  ['body was {"user":"a","password":"canary"}', 'canary'],
  [JSON.stringify(JSON.stringify({ refresh_token: 'canary' })), 'canary'],
  ['sk-canarycanarycanary123', 'canary'],
  ['ghp_canarycanarycanary1234567890abcdef', 'canary'],
  ['AKIACANARYCANARY1234', 'CANARY'],
]

const places: readonly (readonly [string, (text: string) => string])[] = [
  ['the message', (text) => printed(text)],
  ['a field', (text) => printed('x', { text })],
  ['the name of a field', (text) => printed('x', { [text]: 1 })],
  ['a field far below', (text) => printed('x', { a: [{ b: { c: [[{ d: { e: text } }]] } }] })],
  ['the message of an error', (text) => printed('x', { error: new Error(text) })],
  ['the cause of an error', (text) => printed('x', { error: new Error('outer', { cause: new Error(text) }) })],
  ['a member of an error', (text) => printed('x', { error: Object.assign(new Error('x'), { config: { text } }) })],
  ['one of several errors', (text) => printed('x', { error: new AggregateError([new Error(text)], 'all') })],
  ['what toJSON gives', (text) => printed('x', { value: { toJSON: () => ({ text }) } })],
  ['something with a cycle', (text) => printed('x', cyclic(text))],
]

function cyclic(text: string): Record<string, unknown> {
  const node: Record<string, unknown> = { text }
  node['self'] = node
  return { node }
}

test.each(places)('no secret is printed in %s', (_name, print) => {
  const leaks = secrets.filter(([text, canary]) => print(text).includes(canary)).map(([text]) => text)
  expect(leaks).toEqual([])
})

test.each([
  'authorization',
  'Proxy-Authorization',
  'cookie',
  'set-cookie',
  'token',
  'accessToken',
  'refresh_token',
  'apiKey',
  'api_key',
  'x-api-key',
  'privateKey',
  'password',
  'passwd',
  'client_secret',
  'credentials',
  'sessionId',
  'mcp-session-id',
])('every value under %j is hidden', (name) => {
  for (const value of ['canary', ['canary'], { inner: 'canary' }]) {
    const line = printed('x', { headers: { [name]: value, host: 'gw' } })
    expect(line).not.toContain('canary')
    expect(JSON.parse(line)).toMatchObject({ headers: { [name]: redacted, host: 'gw' } })
  }
})

test('headers as a list of alternating names and values are hidden too', () => {
  const line = printed('x', { rawHeaders: ['Host', 'gw', 'Cookie', 'canary', 'Authorization', 'Custom canary'] })
  expect(JSON.parse(line)).toMatchObject({ rawHeaders: ['Host', 'gw', 'Cookie', redacted, 'Authorization', redacted] })
})

test('credentials of a URL object are hidden, the rest of it stays', () => {
  const line = printed('x', { url: new URL('https://user:canary@x.example/a?b=c') })
  expect(JSON.parse(line)).toMatchObject({ url: `https://${redacted}@x.example/a?b=c` })
})

test('the text around a secret stays', () => {
  const line = printed('no answer', {
    url: 'https://x.example/a?token=canary&page=2',
    cause: 'Bearer canary was refused by "files"',
  })
  expect(JSON.parse(line)).toMatchObject({
    message: 'no answer',
    url: `https://x.example/a?token=${redacted}&page=2`,
    cause: `Bearer ${redacted} was refused by "files"`,
  })
})

test.each([
  'a backend link broke',
  'Received notification, no response',
  'listens on http://127.0.0.1:8080/mcp',
  'Bearer token required',
  'unknown key: foo',
  'node:internal/process/task_queues:105:5',
  'file:///srv/node_modules/@junctor/x/index.ts:1:2',
  's_short',
  'mail to someone@example.com',
])('%j contains no secret', (text) => {
  expect(JSON.parse(printed(text, { text, progress: 3 }))).toMatchObject({ message: text, text, progress: 3 })
})

test('a line without secrets is unchanged', () => {
  const line = '{"level":"warn","a":1.0,"a":2}\n'
  expect(redactLine(line)).toBe(line)
})

test('a long text is truncated, and no part of a secret remains at its end', () => {
  for (const at of [16_300, 16_350, 16_384]) {
    const line = printed('x', { text: `${' '.repeat(at)}${session}${' '.repeat(10_000_000)}` })
    expect(line.length).toBeLessThan(17_000)
    expect(line).not.toContain(session.slice(0, 8))
  }
})

test('very deep values are removed, with all their content', () => {
  let value: unknown = 'Bearer canary'
  for (let depth = 0; depth < 1_000; depth += 1) value = { value }
  expect(printed('x', { value })).not.toContain('canary')
})

test.each([
  'eyJ',
  's_',
  '://',
  '://a:',
  'token',
  'key="',
  'Bearer ',
  'Cookie:',
  'basic a',
  'sk-a',
  'a@',
  '"',
  '\\',
  'xox',
])('a text that repeats %j takes linear time', (part) => {
  const line = `${JSON.stringify({ text: part.repeat(400_000 / part.length) })}\n`
  const began = performance.now()
  redactLine(line)
  // Linear time is some milliseconds; quadratic time would be minutes.
  expect(performance.now() - began).toBeLessThan(20_000)
})
