import { compiledOnce } from '@junctor/testkit'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Isolation } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import { startGateway } from '../src/gateway-under-test.ts'
import type { Cell } from '../src/cell.ts'
import { answeringClient } from '../src/answering-client.ts'
import { verifies } from '../src/verifies.ts'
import type { WireClient } from '../src/wire-client.ts'
import { openClient } from '../src/wire-client.ts'

const chatty = fileURLToPath(new URL('../fixtures/chatty-server.ts', import.meta.url))
const clients = 50

/** Makes a call that echoes the client's secret in every kind of message. */
async function callWithSecret(client: WireClient, tool: string, secret: string): Promise<JsonObject> {
  return client.request(
    'tools/call',
    { name: tool, arguments: { secret, text: secret }, _meta: { progressToken: 1 } },
    1,
  )
}

/** Opens the clients. Each makes a call with request id 1 and progress token 1. Returns what each has received. */
async function receiveEachOther(cell: Cell, isolation: Isolation, tool: string): Promise<readonly string[]> {
  const gateway = await startGateway({
    ...cell,
    config: {
      backends: {
        chatty: { command: process.execPath, args: [chatty], env: compiledOnce, isolation, prefix: '' },
        demo: { plugin: '@junctor/plugin-demo', isolation: 'shared' },
      },
    },
  })
  const secrets = Array.from({ length: clients }, (_, index) => `secret-${index}-${'x'.repeat(8)}`)
  const open = await Promise.all(secrets.map((secret) => openClient(gateway, cell, answeringClient(secret))))
  const answers = await Promise.all(open.map((client, index) => callWithSecret(client, tool, secrets[index] as string)))
  await Promise.all(open.map((client) => client.close()))
  await gateway.close()
  expect(answers.map((answer) => answer['id'])).toEqual(Array.from({ length: clients }, () => 1))
  return open.map((client) => JSON.stringify(client.received))
}

/** The secrets that were received by another client. */
function strangers(received: readonly string[]): readonly string[] {
  return received.flatMap((text, index) =>
    [...text.matchAll(/secret-(\d+)-/g)]
      .map(([, owner]) => Number(owner))
      .filter((owner) => owner !== index)
      .map((owner) => `client ${index} received data of client ${owner}`),
  )
}

const http = { ways: ['http'] } as const

verifies(['MCP-11.4', 'MCP-7.2', 'MCP-2.5', 'MCP-8.4'], http, async (cell) => {
  const received = await receiveEachOther(cell, 'session', 'everything_about')
  expect(strangers(received)).toEqual([])
  for (const [index, text] of received.entries()) {
    for (const way of ['result', 'progress', 'log', 'sampled', 'answered', 'root']) {
      expect(text, `${way} of client ${index}`).toContain(`${way} secret-${index}-`)
    }
  }
})

verifies(['MCP-11.4', 'MCP-7.2', 'MCP-2.5'], http, async (cell) => {
  const received = await receiveEachOther(cell, 'shared', 'quiet_about')
  expect(strangers(received)).toEqual([])
  for (const [index, text] of received.entries()) {
    expect(text).toContain(`result secret-${index}-`)
    expect(text).toContain(`progress secret-${index}-`)
    expect(text).not.toContain('log secret-')
  }
})

verifies(['MCP-11.4', 'MCP-2.8'], http, async (cell) => {
  const received = await receiveEachOther(cell, 'shared', 'fail_about')
  expect(strangers(received)).toEqual([])
  for (const [index, text] of received.entries()) expect(text).toContain(`failed secret-${index}-`)
})

verifies(['MCP-11.4', 'MCP-8.1', 'MCP-8.4'], http, async (cell) => {
  const received = await receiveEachOther(cell, 'shared', 'demo__summarize')
  expect(strangers(received)).toEqual([])
  for (const [index, text] of received.entries()) expect(text).toContain(`sampled secret-${index}-`)
})
