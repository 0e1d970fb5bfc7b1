import { compiledOnce } from '@junctor/testkit'
import { hash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@junctor/jsonrpc'
import { expect } from 'vitest'
import { startGateway } from '../src/gateway-under-test.ts'
import { demo } from '../src/in-gateway.ts'
import { natsTest } from '../src/nats-test.ts'
import { errorOf, resultOf, textOf } from '../src/result-of.ts'
import { answeringClient } from '../src/answering-client.ts'
import { type HttpWireClient, openHttpClient } from '../src/wire-client.ts'

// Clients of several tenants on two nodes in turn on NATS. All use the same ids, and each has its own secret.

const chatty = fileURLToPath(new URL('../fixtures/chatty-server.ts', import.meta.url))
const tenants = ['acme', 'beta', 'corp']
const clientsOfTenant = 10
const names = tenants.flatMap((tenant) => Array.from({ length: clientsOfTenant }, (_, at) => `${tenant}-${at}`))
const secretOf = (name: string): string => `secret-of-${name}-`

const config = {
  backends: {
    chatty: { command: process.execPath, args: [chatty], env: compiledOnce, prefix: '', maxLinks: names.length },
    demo: demo({ isolation: 'shared' }),
  },
  tenants: Object.fromEntries(tenants.map((tenant) => [tenant, { backends: ['chatty', 'demo'] }])),
  auth: {
    apiKeys: Object.fromEntries(
      names.map((name) => [
        name,
        { hash: `sha256:${hash('sha256', `key-of-${name}`, 'hex')}`, tenants: [name.split('-')[0]] },
      ]),
    ),
  },
}

async function open(urls: readonly string[], name: string): Promise<HttpWireClient> {
  const own = urls.map((url) => `${url}/${name.split('-')[0]}`)
  const headers = { authorization: `Bearer key-of-${name}` }
  return openHttpClient({ urls: own }, { revision: '2025-11-25' }, { headers, ...answeringClient(secretOf(name)) })
}

const call = (id: string, name: string, args: JsonObject, more: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, ...more },
})

const echoed = (kind: string, secret: string): JsonObject => ({ message: `${kind} ${secret}` })

/** Creates a task. Repeats the request while storage is too slow for it, which it may be for so many processes. */
async function createTask(client: HttpWireClient, secret: string, attempt = 1): Promise<JsonObject> {
  const params = { name: 'demo__echo', arguments: echoed('task', secret), task: {} }
  const created = await client.request('tools/call', params, `task ${attempt}`)
  const isRefused = created['error'] !== undefined && errorOf(created).data?.['retryable'] === true
  return isRefused ? createTask(client, secret, attempt + 1) : created
}

/**
 * Uses every feature at the same time. Returns what only this client may use: the ids of its task and of one of its
 * events.
 */
async function useAll(
  client: HttpWireClient,
  secret: string,
): Promise<{ readonly task: string; readonly event: string }> {
  const answered = (id: string): Promise<unknown> =>
    client.until(({ message }) => message['id'] === id && message['method'] === undefined)

  const everything = client.post(call('1', 'everything_about', { secret }, { _meta: { progressToken: 1 } }))
  const queued = client.post(call('2', 'demo__echo', echoed('queued', secret)), { prefer: 'respond-async' })
  const failed = client.post(call('3', 'fail_about', { secret }))
  const resumed = (async () => {
    const talk = await client.post(
      call('4', 'demo__progress', { steps: 20, delayMs: 5 }, { _meta: { progressToken: secret } }),
    )
    const { eventId = '' } = await client.until(({ message: { params } }) => {
      return (params as JsonObject | undefined)?.['progressToken'] === secret
    })
    talk.drop()
    await talk.ended
    await client.get({ 'last-event-id': eventId })
    return eventId
  })()
  const created = await createTask(client, secret)
  const { taskId: task } = resultOf(created)['task'] as { readonly taskId: string }
  const collected = await client.request('tasks/result', { taskId: task }, '6')
  expect(textOf(collected)).toBe(`task ${secret}`)
  await Promise.all([everything, queued, failed, ...['1', '2', '3', '4'].map(answered)])
  return { task, event: await resumed }
}

natsTest(
  'no client receives a byte of another, regardless of what all of them do at the same time',
  async ({ nats }) => {
    const gateway = await startGateway({ nodes: 2, nats: nats.url, config })
    const clients = await Promise.all(names.map((name) => open(gateway.urls, name)))
    try {
      const owned = await Promise.all(clients.map((client, at) => useAll(client, secretOf(names[at] ?? ''))))
      for (const [at, { received }] of clients.entries()) {
        const text = JSON.stringify(received)
        const own = secretOf(names[at] ?? '')
        const secrets = new Set(text.match(/secret-of-[a-z]+-\d+-/g))
        expect([...secrets], `what ${names[at]} has received`).toEqual([own])
        for (const way of ['result', 'progress', 'log', 'sampled', 'answered', 'root', 'queued', 'task', 'failed']) {
          expect(text, `${way} of ${names[at]}`).toContain(`${way} ${own}`)
        }
      }
      // Ids of another client are unknown, of the same tenant or not.
      const [one] = clients as unknown as readonly [HttpWireClient]
      for (const at of [1, clientsOfTenant]) {
        const { task = '', event = '' } = owned[at] ?? {}
        const stolen = { 'mcp-session-id': clients[at]?.session ?? '' }
        // Once on each node.
        for (let times = 0; times < 2; times += 1) {
          // oxlint-disable no-await-in-loop
          expect(await one.request('tasks/get', { taskId: task })).toMatchObject({ error: { code: -32602 } })
          expect(await one.request('tasks/result', { taskId: task })).toMatchObject({ error: { code: -32602 } })
          expect(await one.request('ping')).toMatchObject({ result: {} })
          expect((await one.get({ 'last-event-id': event })).status).toBe(400)
          expect((await one.get(stolen)).status).toBe(404)
          expect((await one.post({ jsonrpc: '2.0', id: 'x', method: 'ping' }, stolen)).status).toBe(404)
          expect((await one.delete(stolen)).status).toBe(404)
          // oxlint-enable no-await-in-loop
        }
      }
      expect(await Promise.all(clients.map((client) => client.request('ping')))).toHaveLength(clients.length)
    } finally {
      await Promise.all(clients.map((client) => client.close()))
      await gateway.close()
    }
  },
  120_000,
)
