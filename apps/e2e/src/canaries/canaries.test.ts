import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { PassThrough } from 'node:stream'
import { startHttpServer } from '@junctor/testkit/http'
import { silentLog } from '@junctor/contracts'
import { createHttpClient } from '@junctor/plugin-sdk/http'
import { headers } from '@nats-io/transport-node'
import { expect, onTestFinished, test } from 'vitest'
import { openBusChannel } from '../bus-channel.ts'
import { startGateway } from '../gateway-under-test.ts'
import { demo } from '../in-gateway.ts'
import { natsTest } from '../nats-test.ts'
import { startNodeProcess } from '../node-process.ts'
import { openHttpClient, openWire } from '../wire-client.ts'
import { connectToBus } from './connect-to-bus.ts'
import { findLeaks } from './find-leaks.ts'
import { publishPipes } from './seen-messages.ts'
import { createSeenSecrets, type SeenSecrets } from './seen-secrets.ts'
import { seeProcess } from './see-process.ts'
import { watchGateway } from './watch-gateway.ts'
import { watchSecrets } from './watch-secrets.ts'

/** Everything of this process, until the test is over. */
function seeAll(): SeenSecrets {
  const secrets = createSeenSecrets()
  onTestFinished(seeProcess(secrets))
  return secrets
}

async function startServer(listener: RequestListener): Promise<string> {
  const { origin, close } = await startHttpServer(listener)
  onTestFinished(close)
  return origin
}

const startLogin = (): Promise<string> =>
  startServer((asked, answer) => {
    asked.resume()
    answer.setHeader('mcp-session-id', 'session-of-the-answer')
    answer.setHeader('set-cookie', 'login=cookie-of-the-answer; HttpOnly')
    answer.setHeader('location', '/next?code=code-of-the-answer&page=a-page-that-is-known')
    answer.end('{"refresh_token":"refresh-of-the-answer","scope":"a-scope-that-is-known"}')
  })

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

test('over HTTP, tokens, session ids, cookies, codes, verifiers and proofs are seen in both directions', async () => {
  const { all } = seeAll()
  await exchange(await startLogin())
  expect([...all.keys()].toSorted()).toEqual([
    'code-of-the-answer',
    'cookie-of-the-answer',
    'proof-of-the-request',
    'refresh-of-the-answer',
    'session-of-the-answer',
    'state-of-the-request',
    'token-of-the-request',
    'verifier-of-the-request',
  ])
})

const message = (secret: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'ping',
  params: { authToken: secret },
})

test('over WebSocket, headers of the request that opens it and texts are seen', async () => {
  const { all } = seeAll()
  const gateway = await startGateway({ nodes: 1, config: { backends: { demo: demo() } } })
  onTestFinished(() => gateway.close())
  const wire = await openWire(gateway, { way: 'websocket' }, { authorization: 'Bearer token-of-the-socket' })
  await wire.send(message('token-in-a-text-of-the-socket'))
  await wire.close()
  const refused = new WebSocket(gateway.urls[0] ?? '', ['other', 'token-as-a-subprotocol'])
  await once(refused, 'close')
  expect([...all]).toEqual(
    expect.arrayContaining([
      ['token-of-the-socket', 'http, sent authorization'],
      ['token-in-a-text-of-the-socket', 'websocket, sent authToken'],
      ['token-as-a-subprotocol', 'http, sent sec-websocket-protocol'],
      [expect.any(String), 'http, sent sec-websocket-key'],
    ]),
  )
})

test('over stdio, both pipes are seen', async () => {
  const { all } = seeAll()
  const gateway = await startGateway({ nodes: 1, config: { backends: { demo: demo() } } })
  onTestFinished(() => gateway.close())
  const wire = await openWire(gateway, { way: 'stdio' })
  await wire.send(message('token-in-a-line'))
  await wire.close()
  const [input, output] = [new PassThrough(), new PassThrough()]
  publishPipes({}, input, output)
  output.write('{"result":{"sessionId":"session-in-a-line"}}\n')
  expect([...all]).toEqual([
    ['token-in-a-line', 'stdio, sent authToken'],
    ['session-in-a-line', 'stdio, received sessionId'],
  ])
})

natsTest('on the bus, headers, messages and the names of channels are seen', async ({ nats }) => {
  const { all } = seeAll()
  const gateway = await startGateway({ nodes: 1, nats: nats.url, way: 'bus', config: { backends: { demo: demo() } } })
  onTestFinished(() => gateway.close())
  const bus = gateway.bus ?? { server: '', cluster: '' }
  const channel = await openBusChannel(bus)
  channel.send(JSON.stringify(message('token-in-a-message')))
  await channel.close()
  const connection = await connectToBus({ servers: nats.url })
  const sent = headers()
  sent.set('Authorization', 'Bearer token-in-a-header')
  connection.publish('nobody', '', { headers: sent })
  await connection.close()
  expect([...all]).toEqual(
    expect.arrayContaining([
      [expect.stringMatching(/^[\w-]{22}$/), 'bus, received in'],
      ['token-in-a-message', 'bus, sent authToken'],
      ['token-in-a-header', 'bus, sent authorization'],
    ]),
  )
})

/** The error of the watch at its end. */
function verdictOf(watch: { end(): void }): string {
  try {
    watch.end()
    return 'no leaks'
  } catch (error) {
    return String(error)
  }
}

test('a secret in the log is found, wherever in a record it is, and is not repeated', async () => {
  const watch = watchGateway(silentLog, 'token-of-the-admin-port')
  await exchange(await startLogin())
  const error = new Error('refused', { cause: new Error('with verifier-of-the-request') })
  watch.log.debug('a request failed', { deep: { error } })
  const verdict = verdictOf(watch)
  expect(verdict).toContain('the gateway has shown 1 secrets\nhttp, sent body code_verifier in log: ')
  expect(verdict).not.toContain('verifier-of-the-request')
})

test('a log without secrets is no leak', async () => {
  const watch = watchGateway(silentLog, 'token-of-the-admin-port')
  await exchange(await startLogin())
  watch.log.info('a request came', { path: '/token', grant: 'authorization_code' })
  expect(verdictOf(watch)).toBe('no leaks')
})

test('a secret in the audit is found', async () => {
  const watch = watchGateway(silentLog, 'token-of-the-admin-port')
  await exchange(await startLogin())
  appendFileSync(watch.audit, '{"caller":"token-of-the-request"}\n')
  expect(verdictOf(watch)).toContain('http, sent authorization in audit: {"caller":"<here>"}')
})

test('gateways under test write an audit, and the watch reads it', async () => {
  const gateway = await startGateway({
    nodes: 1,
    config: { backends: { demo: demo() }, tenants: { 'tenant-or-session': { backends: ['demo'] } } },
  })
  const urls = gateway.urls.map((url) => `${url}/tenant-or-session`)
  const client = await openHttpClient({ urls }, { revision: '2025-11-25' })
  await client.request('tools/call', { name: 'demo__echo', arguments: {} })
  // The name of a tenant is in the audit, as it should be: here somebody takes it for a session.
  await fetch(urls[0] ?? '', { headers: { 'mcp-session-id': 'tenant-or-session' } })
  await client.close()
  await expect(gateway.close()).rejects.toThrow('http, sent mcp-session-id in audit: ')
})

test.each(['/metrics', '/status'])('a secret on the page %s of the admin port is found', async (page) => {
  const url = await startServer((asked, answer) => {
    asked.resume()
    answer.end(asked.url === page ? 'calls{session="session-of-the-answer"} 1' : '')
  })
  const watch = watchGateway(silentLog, 'token-of-the-admin-port')
  await exchange(await startLogin())
  await watch.look([url], url)
  expect(verdictOf(watch)).toContain(`http, received mcp-session-id in ${page}: calls{session="<here>"} 1`)
})

test('a secret in the log of a child process is found, also in two pieces', async () => {
  const watch = watchSecrets()
  await exchange(await startLogin())
  const child = spawn(process.execPath, ['-e', `process.stderr.write('a token-of-the-'); console.error('request b')`])
  child.stderr.setEncoding('utf8').on('data', (text: string) => watch.record('log', text))
  await once(child, 'close')
  expect(verdictOf(watch)).toContain('http, sent authorization in log: a <here> b')
})

test('the log of a node in its own process has everything that a log can have', async () => {
  const node = await startNodeProcess({ backends: { demo: demo() } })
  let log = ''
  node.process.stderr?.on('data', (text: string) => (log += text))
  const client = await openHttpClient({ urls: [node.url] }, { revision: '2025-11-25' })
  await client.close()
  await expect.poll(() => log).toContain('"level":"debug"')
})

test('an error with a secret of another client is found, on every way; one with its own is none', async () => {
  const url = await startServer((asked, answer) => {
    asked.resume()
    answer.writeHead(404).end(`there are s3cr3t-of-anna and ${String(asked.headers['mcp-session-id'])}`)
  })
  const secrets = seeAll()
  secrets.peer('http').headers('sent', [['mcp-session-id', 's3cr3t-of-anna']])
  await (await fetch(url, { headers: { 'mcp-session-id': 's3cr3t-of-ben' } })).text()
  const output = new PassThrough()
  publishPipes({}, new PassThrough(), output)
  output.write('{"id":1,"error":{"code":-32602,"message":"not s3cr3t-of-anna"}}\n')
  output.write('{"id":1,"result":{"content":[],"note":"s3cr3t-of-anna"}}\n')
  output.write('{"id":1,"result":{"content":[{"text":"s3cr3t-of-anna"}],"isError":true}}\n')
  const places = findLeaks(secrets.all, [], secrets.errors).map(({ place, secret }) => [place, secret])
  expect(places).toEqual([
    ['error over http', 'http, sent mcp-session-id'],
    ['error over stdio', 'http, sent mcp-session-id'],
    ['error over stdio', 'http, sent mcp-session-id'],
  ])
})

test('a secret is found once for each place', () => {
  const secrets = new Map([['s3cr3t-s3cr3t', 'request authorization']])
  const texts = [['log', 'a s3cr3t-s3cr3t b s3cr3t-s3cr3t'] as const, ['/status', 'nothing'] as const]
  expect(findLeaks(secrets, texts)).toEqual([
    { secret: 'request authorization', place: 'log', excerpt: 'a <here> b s3cr3t-s3cr3t' },
  ])
})
