import { expect } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import { type GatewayUnderTest, startGateway } from '../src/gateway-under-test.ts'
import { demo, inGateway } from '../src/in-gateway.ts'
import { namesOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

const token = 'a-token-for-tests'
const config = { listen: { admin: { port: 0, token } } }
const over = { ways: ['http', 'websocket', 'stdio'] } as const

interface Managed {
  readonly status: number
  readonly body: JsonObject
}

/** Sends a request for a backend to the admin port of a node. */
async function manage(admin: string, method: string, name: string, entry?: object): Promise<Managed> {
  const answer = await fetch(`${admin}/backends/${name}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
    ...(entry !== undefined && { body: JSON.stringify(entry) }),
  })
  return { status: answer.status, body: (await answer.json()) as JsonObject }
}

/** The calls in flight of a backend, at all nodes. */
async function callsOf(name: string, { admins }: GatewayUnderTest): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, connection: 'close' }
  const counts = await Promise.all(
    admins.map(async (admin) => {
      const status = (await (await fetch(`${admin}/status`, { headers })).json()) as {
        readonly backends: readonly { readonly name: string; readonly inFlight: number }[]
      }
      return status.backends.find((backend) => backend.name === name)?.inFlight ?? 0
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Runs with another gateway, whose demo is a server at a URL. */
async function withServer(body: (url: string) => Promise<void>): Promise<void> {
  const server = await startGateway({ nodes: 1, config: { backends: { demo: demo({ prefix: '' }) } } })
  try {
    await body(server.urls[0] as string)
  } finally {
    await server.close()
  }
}

const firstAndLast = ({ admins }: GatewayUnderTest) => [admins[0] as string, admins.at(-1) as string] as const

verifies('ADMIN-1', over, (cell) =>
  withServer((url) =>
    inGateway(
      cell,
      { demo: demo() },
      async ({ gateway, client }) => {
        const [first, last] = firstAndLast(gateway)
        const one = await client()
        const list = async () => namesOf(await one.request('tools/list'))
        expect(await list()).not.toContain('far__add')
        expect(await manage(first, 'PUT', 'far', { url })).toMatchObject({ status: 201, body: { revision: 1 } })
        await eventually(async () => {
          // Requests go to the nodes in turn: all of them have it when none of several lacks it.
          for (let round = 0; round < 4; round += 1) expect(await list()).toContain('far__add')
        })
        for (let round = 0; round < 4; round += 1) {
          const sum = await one.request('tools/call', { name: 'far__add', arguments: { a: round, b: 1 } })
          expect(textOf(sum)).toBe(JSON.stringify({ sum: round + 1 }))
        }
        await eventually(() => expect(one.messagesOf('notifications/tools/list_changed').length).toBeGreaterThan(0))
        expect(await manage(last, 'DELETE', 'far')).toMatchObject({ status: 200 })
        await eventually(async () => {
          for (let round = 0; round < 4; round += 1) expect(await list()).not.toContain('far__add')
        })
      },
      { config },
    ),
  ),
)

verifies('ADMIN-2', over, (cell) =>
  withServer((url) =>
    inGateway(
      cell,
      { demo: demo() },
      async ({ gateway, client }) => {
        const [first, last] = firstAndLast(gateway)
        for (const [method, entry] of [
          ['PUT', { url, timeout: '7s' }],
          ['DELETE', undefined],
        ] as const) {
          await manage(first, 'PUT', 'far', { url })
          const one = await client()
          await eventually(async () => {
            for (let round = 0; round < 4; round += 1) {
              expect(namesOf(await one.request('tools/list'))).toContain('far__slow')
            }
          })
          const answers = [0, 1].map(() => one.request('tools/call', { name: 'far__slow', arguments: { ms: 1_500 } }))
          await eventually(async () => expect(await callsOf('far', gateway)).toBe(2))
          expect((await manage(last, method, 'far', entry)).status).toBe(200)
          for (const answer of await Promise.all(answers)) expect(textOf(answer)).toBe('Did nothing for 1500 ms')
        }
      },
      { config },
    ),
  ),
)

verifies('ADMIN-3', { ways: ['http'] }, (cell) =>
  inGateway(
    cell,
    { demo: demo() },
    async ({ gateway, client }) => {
      const [first] = firstAndLast(gateway)
      for (const [name, entry, status] of [
        ['more', { command: 'sh', args: ['-c', 'true'] }, 400],
        ['more', { plugin: './mine.ts' }, 400],
        ['more', { wasm: './a.wasm' }, 400],
        ['more', { openapi: './api.json' }, 400],
        ['more', { url: 'http://127.0.0.1:1/', headers: { 'x-a': '${env:HOME}' } }, 400],
        ['demo', { url: 'http://127.0.0.1:1/' }, 409],
      ] as const) {
        const refused = await manage(first, 'PUT', name, entry)
        expect(refused).toMatchObject({ status, body: { error: 'invalid_backend' } })
        expect(JSON.stringify(refused)).not.toContain(process.env['HOME'] ?? '/root')
      }
      expect(await manage(first, 'DELETE', 'demo')).toMatchObject({ status: 409 })
      const one = await client()
      const reached = await fetch(new URL('/backends', gateway.urls[0]), {
        headers: { authorization: `Bearer ${token}`, connection: 'close' },
      })
      await reached.text()
      expect(reached.status).toBe(404)
      expect(namesOf(await one.request('tools/list')).every((name) => name.startsWith('demo__'))).toBe(true)
    },
    { config },
  ),
)
