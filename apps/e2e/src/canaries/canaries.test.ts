import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { silentLog } from '@junctor/contracts'
import { createHttpClient } from '@junctor/plugin-sdk/http'
import { expect, onTestFinished, test } from 'vitest'
import { findLeaks } from './find-leaks.ts'
import { seeSecrets } from './seen-secrets.ts'
import { watchGateway } from './watch-gateway.ts'

async function startServer(): Promise<string> {
  const server = createServer((asked, answer) => {
    asked.resume()
    answer.setHeader('mcp-session-id', 'session-of-the-answer')
    answer.setHeader('set-cookie', 'login=cookie-of-the-answer; HttpOnly')
    answer.setHeader('location', '/next?code=code-of-the-answer&page=a-page-that-is-known')
    answer.end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function exchange(url: string): Promise<void> {
  const http = createHttpClient({ allowed: ['127.0.0.1'], maxRedirects: 0 })
  const answer = await http.request(`${url}/token?state=state-of-the-request`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer token-of-the-request',
      dpop: 'proof-of-the-request',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=authorization_code&code_verifier=verifier-of-the-request',
  })
  await answer.text()
  await http.close()
}

test('tokens, session ids, cookies, codes, verifiers and proofs are seen in both directions', async () => {
  const secrets = seeSecrets()
  await exchange(await startServer())
  secrets.stop()
  expect([...secrets.all().keys()].toSorted()).toEqual([
    'code-of-the-answer',
    'cookie-of-the-answer',
    'proof-of-the-request',
    'session-of-the-answer',
    'state-of-the-request',
    'token-of-the-request',
    'verifier-of-the-request',
  ])
})

test('a secret in the log is found, wherever in a record it is, and is not repeated', async () => {
  const watch = watchGateway(silentLog, 'token-of-the-admin-port')
  await exchange(await startServer())
  const error = new Error('refused', { cause: new Error('with verifier-of-the-request') })
  watch.log.debug('a request failed', { deep: { error } })
  const failure: unknown = await watch.end([]).catch((thrown: unknown) => thrown)
  expect(String(failure)).toContain('the gateway has shown 1 secrets\nsent body code_verifier in log: ')
  expect(String(failure)).not.toContain('verifier-of-the-request')
})

test('a log without secrets is no leak', async () => {
  const watch = watchGateway(silentLog, 'token-of-the-admin-port')
  await exchange(await startServer())
  watch.log.info('a request came', { path: '/token', grant: 'authorization_code' })
  await expect(watch.end([])).resolves.toBeUndefined()
})

test('a secret is found once for each place', () => {
  const secrets = new Map([['s3cr3t-s3cr3t', 'request authorization']])
  const texts = [['log', 'a s3cr3t-s3cr3t b s3cr3t-s3cr3t'] as const, ['/status', 'nothing'] as const]
  expect(findLeaks(secrets, texts)).toEqual([
    { secret: 'request authorization', place: 'log', excerpt: 'a <here> b s3cr3t-s3cr3t' },
  ])
})
