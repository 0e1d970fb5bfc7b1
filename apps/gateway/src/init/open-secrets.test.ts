import { expect, test } from 'vitest'
import { openSecrets } from './open-secrets.ts'

test.each([
  [{ env: { API_KEY: 'x', LOG: 'warn' } }, ['b.env.API_KEY']],
  [{ env: { API_KEY: '${env:API_KEY}' } }, []],
  [{ headers: { Authorization: 'Bearer x', Accept: 'y' } }, ['b.headers.Authorization']],
  [{ headers: { 'X-Custom': 'Bearer x' } }, ['b.headers.X-Custom']],
  [{ args: ['--token', 'x', '--port', '1'] }, ['b.args.1']],
  [{ args: ['--token=x', 'path/to=y'] }, ['b.args.0']],
  [{ url: 'https://user:word@x.test/' }, ['b.url']],
  [{ url: 'https://x.test/?api_key=1' }, ['b.url']],
  [{ url: 'https://x.test/?page=1' }, []],
  [{ auth: { bearer: '${env:T}' } }, []],
  [{ command: 'npx', args: ['-y', '@scope/token-server'] }, []],
])('%j', (backend, found) => {
  expect(openSecrets({ b: backend })).toEqual(found)
})
