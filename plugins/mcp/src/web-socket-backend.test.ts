import type { IncomingMessage } from 'node:http'
import { silentLog, emitNothing } from '@junctor/plugin-sdk/link'
import { createRequest, recordClient, recordExchange } from '@junctor/testkit'
import { startHttpServer } from '@junctor/testkit/http'
import { serveSdk } from '@junctor/transport-websocket'
import { expect, onTestFinished, test } from 'vitest'
import { scopeFor } from '../test/lean-server.ts'
import { createV1Server } from '../test/servers/v1-server.ts'
import { createMcpBackend } from './create-mcp-backend.ts'

async function openBackend() {
  const requests: IncomingMessage[] = []
  const { server, port, close } = await startHttpServer((_, response) => response.writeHead(404).end())
  server.on('upgrade', (request) => requests.push(request))
  const serving = serveSdk({ server, connect: (transport) => createV1Server().connect(transport) })
  const backend = await createMcpBackend({
    name: 'web',
    config: {
      url: `ws://127.0.0.1:${port}/mcp`,
      headers: { 'x-team': 'a' },
      auth: { bearer: 'key' },
    },
    folder: '/',
    log: silentLog,
    emit: emitNothing,
    guard: { child: () => ({ environment: {}, started() {}, ended() {} }) },
  })
  onTestFinished(async () => {
    await serving.close()
    await close()
  })
  const client = recordClient()
  const open = () => backend.open(scopeFor(client), client, new AbortController().signal)
  return { serving, requests, open }
}

test('credentials are sent to the server when a connection is opened, and each link has its own connection', async () => {
  const { requests, open } = await openBackend()
  const links = [await open(), await open()]
  expect(requests.map(({ headers }) => [headers.authorization, headers['x-team']])).toEqual([
    ['Bearer key', 'a'],
    ['Bearer key', 'a'],
  ])
  await Promise.all(links.map((link) => link.close()))
})

test('when a connection ends, its calls and its link end too', async () => {
  const { serving, open } = await openBackend()
  const link = await open()
  const outcome = link.call(createRequest('tools/call', { name: 'wait', arguments: {} }), recordExchange().exchange)
  await serving.close()
  expect(await outcome).toMatchObject({ kind: 'error', error: { code: -32000 } })
  expect(await link.closed).toMatchObject({ code: 'BACKEND_EXITED' })
})
