import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { listDescendants, untilGone, eventually } from '@junctor/testkit'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../src/gateway-under-test.ts'
import { demo, lean } from '../src/in-gateway.ts'
import { type NodeProcess, startNodeProcess } from '../src/node-process.ts'
import { textOf } from '../src/result-of.ts'
import { type HttpWireClient, openHttpClient } from '../src/wire-client.ts'

const sessions = 200
/** Each session needs one more process; two cores can start only a few at a time. */
const atOnce = 10
const testTimeoutMs = 170_000
const revision = { revision: '2025-11-25' } as const

let clients: HttpWireClient[]

beforeEach(() => {
  clients = []
  onTestFinished(async () => {
    await Promise.all(clients.map((client) => client.close()))
  })
})

const shellServer = fileURLToPath(new URL('../fixtures/shell-server.sh', import.meta.url))

const startNode = (): Promise<NodeProcess> =>
  startNodeProcess({
    limits: { grace: '1s' },
    backends: { shell: { command: shellServer, isolation: 'session', maxLinks: sessions + 10 } },
  })

/** Opens sessions with a child each, a few at a time. Every second session is ended, the others stay open. */
async function openAndDrop(url: string): Promise<void> {
  for (let opened = 0; opened < sessions; opened += atOnce) {
    const batch = Array.from({ length: atOnce }, async (_, index) => {
      const client = await openHttpClient({ urls: [url] }, revision, { listens: index % 4 === 1 })
      clients.push(client)
      const response = await client.request('tools/call', { name: 'shell__hello', arguments: {} })
      expect(textOf(response)).toBe('hello')
      await (index % 2 === 0 ? client.delete() : client.close())
    })
    await Promise.all(batch)
  }
}

/** Sockets that listen on the port or are connected to it, from any process. */
function socketsOf(url: string): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0')
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)
  // Columns: number, local address, remote address, state. 06 is TIME_WAIT, which belongs to no process any more.
  const own = rows.map((row) => row.trim().split(/\s+/))
  return own.filter(([, local = '', , state]) => local.endsWith(`:${port}`) && state !== '06').length
}

test(
  `${sessions} sessions opened and dropped, then kill -9 of the node: no process and no socket is left`,
  async () => {
    const started = await startNode()
    const { process: node, url } = started
    await openAndDrop(url)
    const processes = listDescendants(node.pid)
    // The processes of ended sessions are gone already; those of open sessions are what the kill may leave behind.
    expect(processes.filter(({ command }) => command.includes('shell-server')).length).toBeGreaterThanOrEqual(
      sessions / 2,
    )
    expect(socketsOf(url)).toBeGreaterThan(0)
    await started.kill()
    await untilGone(processes, 30_000)
    await eventually(() => expect(socketsOf(url)).toBe(0))
  },
  testTimeoutMs,
)

test(
  `${sessions} sessions opened and dropped, then a graceful stop: exit code 0, no process and no socket is left`,
  async () => {
    const { process: node, url } = await startNode()
    await openAndDrop(url)
    const processes = listDescendants(node.pid)
    expect(processes.length).toBeGreaterThanOrEqual(sessions / 2)
    const exited = once(node, 'exit')
    node.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    // Everything was cleaned up by the node itself.
    await untilGone(processes, 1_000)
    await eventually(() => expect(socketsOf(url)).toBe(0))
  },
  testTimeoutMs,
)

/** The resources that are held beyond those that were held before. */
function beyond(now: readonly string[], before: readonly string[]): readonly string[] {
  const known = [...before]
  return now.filter((resource) => {
    const at = known.indexOf(resource)
    if (at !== -1) known.splice(at, 1)
    return at === -1
  })
}

test('a node in this process leaves no timer, no socket and no pipe when it is closed', async () => {
  const held = (): readonly string[] => process.getActiveResourcesInfo().toSorted()
  const before = held()
  const gateway = await startGateway({ nodes: 2, config: { backends: { demo: demo(), lean: lean() } } })
  const client = await openHttpClient(gateway, revision)
  clients.push(client)
  expect(textOf(await client.request('tools/call', { name: 'lean__received', arguments: {} }))).toContain('tools/call')
  await client.post({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: { name: 'demo__slow', arguments: {} } })
  const processes = listDescendants()
  expect(processes.filter(({ command }) => command.includes('lean-server')).length).toBeGreaterThan(0)
  expect(held()).not.toEqual(before)
  await client.close()
  await gateway.close()
  await untilGone(processes, 1_000)
  // What earlier tests had open may close meanwhile.
  await expect.poll(() => beyond(held(), before)).toEqual([])
})
