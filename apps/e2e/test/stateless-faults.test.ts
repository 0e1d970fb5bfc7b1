import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonObject } from '@junctor/jsonrpc'
import { eventually, listDescendants } from '@junctor/testkit'
import { startHttpServer } from '@junctor/testkit/http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { serveStateless } from '../fixtures/stateless-server.ts'
import { startGateway } from '../src/gateway-under-test.ts'
import { asking, demo, lean, statelessChild } from '../src/in-gateway.ts'
import { movableClock } from '../src/movable-clock.ts'
import { natsTest } from '../src/nats-test.ts'
import { startNodeProcess } from '../src/node-process.ts'
import { parsedFor } from '../src/parsed-for.ts'
import { errorOf, namesOf, textOf } from '../src/result-of.ts'
import { openHttpClient } from '../src/wire-client.ts'
import { answersTo, askingResult, openStatelessClient, type StatelessClient } from '../src/stateless-client.ts'

// Requests of 2026-07-28 in the sequences that break promises: a node that leaves or dies, clients that go away, a server
// that restarts.
vi.setConfig({ testTimeout: 60_000 })

const able = { capabilities: { elicitation: {} } }
const answers = { 'elicitation/create': () => ({ action: 'accept', content: { answer: 'yes' } }) }
const call = (name: string, args: JsonObject = {}): JsonObject => ({ name, arguments: args })

const childrenNaming = (name: string) => listDescendants().filter(({ command }) => command.includes(name))

async function clientOf(urls: readonly string[], options = {}): Promise<StatelessClient> {
  const client = await openStatelessClient({ urls } as never, { way: 'http' }, options)
  onTestFinished(() => client.close())
  return client
}

/** Waits for the update of a resource. */
async function updateOf({ wire }: StatelessClient, uri: string): Promise<void> {
  const params = expect.objectContaining({ uri })
  await eventually(() =>
    expect(wire.received.map(({ message }) => message)).toContainEqual(
      expect.objectContaining({ method: 'notifications/resources/updated', params }),
    ),
  )
}

test('a node that is asked to end answers the calls that run, and ends subscriptions with an answer', async () => {
  const { process: node, url } = await startNodeProcess({ backends: { demo: demo() } })
  const one = await clientOf([url])
  await one.send('subscriptions/listen', one.declared({ notifications: { toolsListChanged: true } }), 'listening')
  await one.wire.until(({ message }) => message['method'] === 'notifications/subscriptions/acknowledged')
  const slow = one.request('tools/call', call('demo__slow', { ms: 1_500 }))
  const progress = one.declared(call('demo__progress', { steps: 1, delay: 1 }), { progressToken: 1 })
  await one.request('tools/call', progress)
  node.kill('SIGTERM')
  const exited = once(node, 'exit')
  expect(textOf(await slow)).toContain('1500 ms')
  const { message } = await one.wire.until((received) => received.message['id'] === 'listening')
  expect(message['result']).toMatchObject({ resultType: 'complete' })
  await exited
})

natsTest('a retry whose node is gone is refused soon, and the call can be made again', async ({ nats }) => {
  const fabric = { nats: { servers: [nats.url], cluster: 'gone', key: 'a key of this cluster, long enough' } }
  const config = { fabric, backends: { asking: asking() } }
  const [first, second] = await Promise.all([startNodeProcess(config), startNodeProcess(config)])
  const one = await clientOf([first.url], able)
  const asked = askingResult(await one.request('tools/call', call('asking__confirm', { text: 'sure?' })))
  await first.kill()
  const other = await clientOf([second.url], able)
  const retry = { ...call('asking__confirm', { text: 'sure?' }), inputResponses: answersTo(asked, answers) }
  const { requestState } = asked
  const refused = await eventually(async () => {
    const response = await other.request('tools/call', { ...retry, requestState })
    expect(response).toHaveProperty('error')
    return errorOf(response)
  })
  expect([-32_602, 503]).toContain(refused.code)
  expect(textOf(await other.complete('tools/call', call('asking__confirm', { text: 'sure?' }), answers))).toContain(
    'yes',
  )
})

test('clients that leave at any point of a call that asks leave no process and no question behind', async () => {
  const gateway = await startGateway({
    nodes: 1,
    config: { backends: { asking: asking({ idle: '500ms' }) }, limits: { grace: '100ms' } },
  })
  onTestFinished(() => gateway.close())
  const pauses = [0, 5, 20, 60, 150]
  for (const pause of pauses) {
    const clients = await Promise.all(pauses.map(() => clientOf(gateway.urls, able)))
    await Promise.all(
      clients.map(async (one, index) => {
        await one.send('tools/call', one.declared(call('asking__rounds', { count: 3 }))).catch(() => {})
        if (index % 2 === 0) await new Promise((resolve) => void setTimeout(resolve, pause))
        await one.close()
      }),
    )
  }
  // Everything works as before.
  const one = await clientOf(gateway.urls, able)
  expect(textOf(await one.complete('tools/call', call('asking__confirm', { text: 'x' }), answers))).toContain('yes')
  await gateway.close()
  await eventually(() => expect(childrenNaming('asking-server')).toEqual([]))
})

test('a server of 2026-07-28 that restarts is listened to again, and its new tools are seen', async () => {
  const before = await serveStateless()
  // A fixed address in front of it: the server restarts on another port.
  let target = new URL(before.url)
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', headers } = request
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const answer = await fetch(new URL(request.url ?? '', target), {
      method,
      headers: headers as Record<string, string>,
      ...(method === 'POST' && { body: request as never, duplex: 'half' as const }),
      signal: gone.signal,
    })
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    for await (const piece of answer.body ?? []) response.write(piece)
    response.end()
  }
  const front = await startHttpServer(async (request, response) => {
    // The server behind it restarts.
    await pass(request, response).catch(() => response.destroy())
  })
  onTestFinished(() => front.close())
  const gateway = await startGateway({
    nodes: 1,
    config: { backends: { http: { url: `${front.origin}/mcp` } } },
  })
  onTestFinished(() => gateway.close())
  const one = await clientOf(gateway.urls)
  await one.request('tools/call', call('http__grow'))
  await eventually(async () => expect(namesOf(await one.request('tools/list'))).toContain('http__grown1'))
  const notifications = { toolsListChanged: true, resourceSubscriptions: ['http+memo://a'] }
  await one.send('subscriptions/listen', one.declared({ notifications }), 'listening')
  await one.wire.until(({ message }) => message['method'] === 'notifications/subscriptions/acknowledged')
  const changes = () =>
    one.wire.received.filter(({ message }) => message['method'] === 'notifications/tools/list_changed').length

  await before.close()
  const after = await serveStateless()
  onTestFinished(() => after.close())
  target = new URL(after.url)
  // The new server has fewer tools: its client is notified, although the server announced nothing.
  await eventually(async () => expect(namesOf(await one.request('tools/list'))).not.toContain('http__grown1'), 20_000)
  await eventually(() => expect(changes()).toBeGreaterThan(0))
  // Nobody knows what the resource was meanwhile.
  await updateOf(one, 'http+memo://a')
  const seen = changes()
  await eventually(async () => {
    await one.request('tools/call', call('http__grow'))
    expect(changes()).toBeGreaterThan(seen)
  }, 20_000)
})

test('a child that speaks 2026-07-28 and ends is started again, and listened to', async () => {
  const gateway = await startGateway({ nodes: 1, config: { backends: { stdio: statelessChild() } } })
  onTestFinished(() => gateway.close())
  const one = await clientOf(gateway.urls)
  const echo = async (text: string) =>
    eventually(async () => {
      expect(textOf(await one.request('tools/call', call('stdio__echo', { text })))).toBe(text)
    }, 30_000)
  await echo('one')
  const notifications = { resourceSubscriptions: ['stdio+memo://a'] }
  await one.send('subscriptions/listen', one.declared({ notifications }), 'listening')
  await one.wire.until(({ message }) => message['method'] === 'notifications/subscriptions/acknowledged')
  for (const { pid } of childrenNaming('stateless-server')) process.kill(pid, 'SIGKILL')
  await echo('two')
  await updateOf(one, 'stdio+memo://a')
})

natsTest('a call of a server of 2026-07-28 goes on at another node when its first node is gone', async ({ nats }) => {
  const server = await serveStateless()
  onTestFinished(() => server.close())
  const fabric = { nats: { servers: [nats.url], cluster: 'sealed', key: 'a key of this cluster, long enough' } }
  const config = { fabric, backends: { http: { url: server.url } } }
  const [first, second] = await Promise.all([startNodeProcess(config), startNodeProcess(config)])
  const one = await clientOf([first.url], able)
  const confirm = call('http__confirm', { text: 'sure?' })
  const asked = askingResult(await one.request('tools/call', confirm))
  await first.kill()
  const other = await clientOf([second.url], able)
  const { requestState } = asked
  const done = await other.request('tools/call', {
    ...confirm,
    inputResponses: answersTo(asked, answers),
    requestState,
  })
  expect(textOf(done)).toContain('yes')
})

test('a subscription whose client sends nothing else is at its server as long as it lasts, and no longer', async () => {
  const clock = movableClock()
  const configOf = (timeout: string): object => ({
    listen: { http: { port: 0 }, admin: { port: 0 } },
    backends: { lean: lean({ capabilities: { tools: {}, resources: { subscribe: true } } }, { timeout }) },
  })
  const gateway = await startGateway({ nodes: 1, config: configOf('1m') })
  onTestFinished(() => gateway.close())
  const [listening, other] = [await clientOf(gateway.urls), await clientOf(gateway.urls)]
  const filter = listening.declared({ notifications: { resourceSubscriptions: ['lean+file:///any/a'] } })
  await listening.send('subscriptions/listen', filter, 'listening')
  await listening.wire.until(({ message }) => message['method'] === 'notifications/subscriptions/acknowledged')
  // The gateway forgets callers and sessions that were idle for half an hour.
  const idle = await openHttpClient(gateway, { revision: '2025-11-25' }, { listens: false })
  clock.forward(31 * 60_000)
  onTestFinished(() => idle.close())
  await eventually(async () => {
    expect(await (await fetch(`${gateway.admins[0]}/metrics`)).text()).toMatch(
      /^mcp_sessions_closed_total\{reason="idle"\} 1$/m,
    )
  })
  const received = async () => textOf(await other.request('tools/call', call('lean__received')))
  expect((await gateway.nodes[0]?.reload(parsedFor(configOf('2m'))))?.kind).toBe('taken')
  await eventually(async () => expect(await received()).toContain('resources/subscribe'))
  await listening.close()
  await eventually(async () => expect(await received()).toContain('resources/unsubscribe'))
})
