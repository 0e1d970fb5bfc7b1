import { expect, test } from 'vitest'
import { withoutSecrets } from './without-secrets.ts'

test.each([
  [
    'hidden below a name',
    { auth: { user: 'a', keys: ['b', 1] } },
    { auth: { user: '(secret)', keys: ['(secret)', '(secret)'] } },
  ],
  ['hidden under part of a name', { dbPassword: 'a', 'X-Auth': 'b' }, { dbPassword: '(secret)', 'X-Auth': '(secret)' }],
  [
    'shown under other names',
    { city: 'Oslo', port: 80, on: true, no: null },
    { city: 'Oslo', port: 80, on: true, no: null },
  ],
  [
    'hidden after a flag',
    { args: ['--secret', 'a', '-H', 'b: c', 'd'] },
    { args: ['--secret', '(secret)', '-H', '(secret)', 'd'] },
  ],
  ['hidden in an argument', { args: ['API_KEY=a b', '--pass=x'] }, { args: ['API_KEY=(secret)', '--pass=(secret)'] }],
  ['hidden in a command', { run: 'env TOKEN=a node x' }, { run: 'env TOKEN=(secret)' }],
  ['hidden in a header', { run: 'curl "Authorization: Bearer abc"' }, { run: 'curl "Authorization: (secret)' }],
  ['hidden in a URL', { db: 'postgres://me:pw@db/x?a=b c' }, { db: 'postgres://(secret)@db/x?(secret) c' }],
  [
    'hidden in a path',
    { at: 'https://x.example/s/N2Q4ZjE0YWItM2Mx-d41d8/mcp' },
    { at: 'https://x.example/s/(secret)/mcp' },
  ],
  [
    'shown when people made it up',
    { args: ['@modelcontextprotocol/server-filesystem'] },
    { args: ['@modelcontextprotocol/server-filesystem'] },
  ],
  ['hidden when it is no data', { call: () => 'a', when: new Date(0) }, { call: '(secret)', when: '(secret)' }],
  ['hidden when a reference led there', { a: 'see s3cret.', b: 5 }, { a: '(secret)', b: '(secret)' }],
])('a value is %s', (_name, options, shown) => {
  expect(withoutSecrets(options, ['s3cret', '5', ''])).toEqual(shown)
})
