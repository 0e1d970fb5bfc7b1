import { compiledOnce } from '@junctor/testkit'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Isolation } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import { asking, inGateway } from '../src/in-gateway.ts'
import { textOf } from '../src/result-of.ts'
import { startGateway } from '../src/gateway-under-test.ts'
import type { Cell } from '../src/cell.ts'
import { answeringClient } from '../src/answering-client.ts'
import { verifies } from '../src/verifies.ts'
import { openClient, type WireClient } from '../src/wire-client.ts'

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

verifies(['MCP-11.4', 'MCP-8.1'], { ...http, nodes: [1], revisions: ['2025-11-25'] }, async (cell) => {
  await inGateway(cell, { asking: asking({ prefix: '' }) }, async ({ gateway: { urls } }) => {
    // For the inner gateway all clients are one. Its program does not say which of their calls it asks about.
    const inner = { url: urls[0], era: 'handshake', isolation: 'shared', prefix: '' }
    await inGateway(cell, { inner }, async ({ client }) => {
      const asked = Promise.withResolvers<void>()
      const others = Promise.withResolvers<void>()
      const capabilities = { elicitation: {} }
      const one = await client({
        capabilities,
        answers: {
          'elicitation/create': async () => {
            asked.resolve()
            await others.promise
            return { action: 'accept', content: { answer: 'of one' } }
          },
        },
      })
      const answer = { action: 'accept', content: { answer: 'of the other' } }
      const other = await client({ capabilities, answers: { 'elicitation/create': () => answer } })
      const rounds = one.request('tools/call', { name: 'rounds', arguments: { count: 2 } })
      await asked.promise
      await other.send({ jsonrpc: '2.0', id: 'newest', method: 'tools/call', params: { name: 'hang' } })
      const hanging = async () => textOf(await one.request('tools/call', { name: 'hanging', arguments: {} }))
      await expect.poll(hanging).toBe('1')
      others.resolve()
      expect(textOf(await rounds)).not.toContain('of the other')
      expect(other.messagesOf('elicitation/create')).toEqual([])
    })
  })
})
