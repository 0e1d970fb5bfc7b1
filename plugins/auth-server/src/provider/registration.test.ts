import { expect, test } from 'vitest'
import { judgeRegistration } from './registration.ts'

const anyHost = { open: true, hosts: undefined }

test.each([
  [['http://localhost:8080/callback'], 'native'],
  [['http://127.0.0.1/callback', 'http://[::1]:1/callback'], 'native'],
  [['https://app.example.com/callback'], 'web'],
  [['https://app.example.com/callback', 'http://localhost/callback'], 'web'],
  // The library accepts no native client at https on this machine.
  [['https://localhost:3000/callback', 'http://localhost:3000/callback'], 'web'],
  [['com.example.app:/callback'], 'native'],
  // As Cursor registers itself.
  [
    [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
    ],
    'native',
  ],
])('a client at %j is of the kind %s when it says none', (uris, kind) => {
  const verdict = judgeRegistration(JSON.stringify({ redirect_uris: uris, client_name: 'x', scope: 'mcp' }), anyHost)
  expect(verdict).toEqual({
    kind: 'accepted',
    metadata: { redirect_uris: uris, client_name: 'x', application_type: kind },
  })
})

test('a member that is null counts as left out', () => {
  const jwks = { keys: [{ kty: 'EC', d: null }] }
  const text = JSON.stringify({ redirect_uris: ['http://localhost/'], logo_uri: null, contacts: null, jwks })
  expect(judgeRegistration(text, anyHost)).toEqual({
    kind: 'accepted',
    metadata: { redirect_uris: ['http://localhost/'], jwks: { keys: [{ kty: 'EC' }] }, application_type: 'native' },
  })
})

test('what a client says of its kind stays', () => {
  const text = JSON.stringify({ redirect_uris: ['http://localhost/'], application_type: 'web' })
  expect(judgeRegistration(text, anyHost)).toMatchObject({ metadata: { application_type: 'web' } })
})

test.each([
  ['http://app.example.com/'],
  ['https://user@app.example.com/'],
  ['https://app.example.com/#x'],
  ['file:///etc/passwd'],
  ['javascript:alert(1)'],
  ['javascript://localhost/%0aalert(1)'],
  ['data:text/html,x'],
  ['ws://localhost/'],
  ['cursor://user@callback'],
  ['view-source:https://evil.example.com/'],
  ['View-Source:HTTPS://evil.example.com/'],
  ['microsoft-edge:evil.example.com'],
  ['GoogleChrome://evil.example.com'],
  ['http://localhost.example.com/'],
  [`https://app.example.com/${'x'.repeat(3000)}`],
  ['not a URL'],
  [null],
  [7],
])('nobody is sent to %j', (uri) => {
  expect(judgeRegistration(JSON.stringify({ redirect_uris: [uri] }), anyHost)).toMatchObject({
    kind: 'refused',
    error: 'invalid_redirect_uri',
  })
})

test('with named hosts, others are refused', () => {
  const named = { open: true, hosts: ['app.example.com'] }
  const judge = (uri: string) => judgeRegistration(JSON.stringify({ redirect_uris: [uri] }), named).kind
  expect(judge('https://b.app.example.com/')).toBe('refused')
  const uris = ['https://app.example.com/', 'http://localhost/', 'cursor://anysphere.cursor-mcp/oauth/callback']
  expect(uris.map(judge)).toEqual(['accepted', 'accepted', 'accepted'])
})

test.each(['', 'null', '[]', '7', '{', '{"redirect_uris":{}}', '{"redirect_uris":[]}'])('%j is refused', (text) => {
  expect(judgeRegistration(text, anyHost).kind).toBe('refused')
})
