import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { parseFrame, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { handshakeRevisions } from '../src/cell.ts'
import { demo, inGateway, lean } from '../src/in-gateway.ts'
import { createLogRecorder } from '../src/log-recorder.ts'
import { rawRequest } from '../src/raw-request.ts'
import { resultOf, textOf } from '../src/result-of.ts'
import { typeInto } from '../src/typed-command.ts'
import { verifies } from '../src/verifies.ts'

// Messages without an id: the requirements of the architecture document of the notification fix, on every transport.

const parseError = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'
const initialize =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"test","version":"1.0"}}}'
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}'

/** Known, unknown and failing notifications: as requests, the last ones would be errors. */
const notifications: readonly JsonObject[] = [
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', method: 'notifications/roots/list_changed', params: {} },
  { jsonrpc: '2.0', method: 'notifications/nobody-knows-this' },
  { jsonrpc: '2.0', method: 'initialized' },
  { jsonrpc: '2.0', method: '' },
  { jsonrpc: '2.0', method: 'notifications/cancelled' },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: { not: 'an id' } } },
  { jsonrpc: '2.0', method: 'notifications/progress', params: [1, 'two'] },
  { jsonrpc: '2.0', method: 'ping' },
  { jsonrpc: '2.0', method: 'initialize' },
  { jsonrpc: '2.0', method: 'no/such/method' },
  { jsonrpc: '2.0', method: 'tools/call' },
  { jsonrpc: '2.0', method: 'tools/call', params: { name: 'lean__echo', arguments: { from: 'a notification' } } },
  { jsonrpc: '2.0', method: 'notifications/initialized', params: null },
  { jsonrpc: '3.0', method: 'tools/call', params: null },
]

/** Invalid messages that have a method and no id. */
const malformed: readonly JsonObject[] = [
  { jsonrpc: '2.0', method: 'notifications/initialized', params: 5 },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: 'x' },
  { jsonrpc: '2.0', method: 'notifications/progress', params: true, result: {} },
  { jsonrpc: '2.0', method: 'no/such/method', params: 0 },
  { jsonrpc: '1.0', method: 'ping' },
  { method: 'ping' },
  { jsonrpc: '3.0', method: 'ping', params: 5 },
  { jsonrpc: '3.0', method: 'ping', options: 'x' },
]
const unanswered = [...notifications, ...malformed]

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-notifications-'))
  for (const profile of ['mcp', 'n8n']) {
    const backends = { demo: { plugin: '@junctor/plugin-demo' } }
    writeFileSync(join(folder, `${profile}.json`), JSON.stringify({ profile, backends }))
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Everything that the real command writes to standard output for an input, until it ends. */
async function stdoutOf(profile: 'mcp' | 'n8n', input: string | Uint8Array): Promise<string> {
  const command = typeInto(join(folder, `${profile}.json`))
  command.type(input)
  const { output, code } = await command.end()
  expect(code).toBe(0)
  return output
}

const stdio = { ways: ['stdio'], revisions: ['2024-11-05'] } as const
const http = { ways: ['http'] } as const

verifies('D-1', { ways: ['stdio'] }, async () => {
  const kindOf = (message: JsonObject): string => {
    const frame = parseFrame(JSON.stringify(message))
    return frame.kind === 'message' ? frame.message.kind : frame.kind
  }
  // Directly after parsing, by the id alone: the method does not matter.
  for (const notification of notifications) {
    expect(kindOf(notification)).toBe('notification')
    expect(kindOf({ ...notification, id: 1 })).toBe('request')
    expect(kindOf({ ...notification, id: 0 })).toBe('request')
    expect(kindOf({ ...notification, id: '' })).toBe('request')
    expect(kindOf({ ...notification, id: null })).toBe(notification['jsonrpc'] === '3.0' ? 'request' : 'unreadable')
  }
})

verifies('D-2', { revisions: handshakeRevisions }, async (cell) => {
  await inGateway(cell, { lean: lean() }, async (scene) => {
    const one = await scene.client()
    const before = one.received.length
    for (const notification of unanswered) await one.send(notification)
    const log = textOf(await one.request('tools/call', { name: 'lean__received', arguments: {} }))
    // The only answer is that to the request, and no notification was treated as a request.
    expect(one.received.slice(before).map(({ message: { id } }) => id)).toEqual(['r1'])
    expect(log).not.toContain('a notification')
    expect(log.match(/"tools\/call"/g)).toHaveLength(1)
    // A batch that is refused as a whole gets no answer when none of its messages has an id.
    await one.send(unanswered)
    await one.request('ping', {}, 'after a batch')
    expect(one.received.slice(before).map(({ message: { id } }) => id)).toEqual(['r1', 'after a batch'])
  })
})

verifies('D-2', { ways: ['http'], revisions: handshakeRevisions }, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const one = await scene.http()
    const post = async (session: string | undefined, notification: JsonObject) => {
      const answer = await rawRequest(scene.gateway.urls[0] ?? '', {
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...(session !== undefined && { 'mcp-session-id': session }),
        },
        body: JSON.stringify(notification),
      })
      return `${answer.status} ${answer.headers['content-type'] ?? ''}${await answer.text()}`
    }
    // When a session is missing or unknown, only the status reports it.
    for (const notification of notifications) {
      expect(await post(one.session, notification)).toBe('202 ')
      // Calls of JSON-RPC 3.0 need no session.
      expect(await post(undefined, notification)).toBe(notification['jsonrpc'] === '3.0' ? '202 ' : '400 ')
      expect(await post('s_unknown', notification)).toBe('404 ')
    }
    for (const notification of malformed) expect(await post(one.session, notification)).toBe('400 ')
  })
})

verifies('D-2', stdio, async () => {
  const input = unanswered.map((notification) => `${JSON.stringify(notification)}\n`).join('')
  // Before `initialize`, without a session, to the real command.
  for (const profile of ['mcp', 'n8n'] as const) expect(await stdoutOf(profile, input)).toBe('')
})

verifies('D-3', { revisions: ['2025-03-26'] }, async (cell) => {
  await inGateway(cell, { lean: lean() }, async (scene) => {
    const one = await scene.client()
    const before = one.received.length
    const batch: readonly JsonValue[] = unanswered
    await one.send(batch)
    await one.send([...batch, { jsonrpc: '2.0', id: 'in a batch', method: 'ping' }, ...batch])
    await one.until(({ message: { id } }) => id === 'in a batch')
    expect(resultOf(await one.request('ping', {}, 'alone'))).toEqual({})
    expect(one.received.slice(before).map(({ message: { id } }) => id)).toEqual(['in a batch', 'alone'])
  })
})

verifies('D-3', { ways: ['http'], revisions: ['2025-03-26'] }, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const one = await scene.http()
    const answer = await one.post(unanswered)
    await answer.ended
    expect([answer.status, answer.headers.get('content-type')]).toEqual([202, null])
  })
})

verifies('D-4', stdio, async () => {
  const bad = ['{"invalid json', 'hello', '{"jsonrpc":"2.0","id":7,"method":"ping"', '{"a":1}}', '\u0000']
  for (const profile of ['mcp', 'n8n'] as const) {
    const notUtf8 = Buffer.from([0x7b, 0xff, 0x7d, 0x0a])
    const stdout = await stdoutOf(profile, Buffer.concat([Buffer.from(`${bad.join('\n')}\n`), notUtf8]))
    expect(stdout).toBe(`${parseError}\n`.repeat(bad.length + 1))
  }
})

verifies('D-4', { ways: ['stdio'], revisions: ['2024-11-05', '2025-03-26', '2025-06-18'] }, async ({ revision }) => {
  const opening = initialize.replace('2024-11-05', revision)
  const lines = (await stdoutOf('mcp', `${opening}\n{"invalid json`)).trimEnd().split('\n')
  expect(lines).toEqual([expect.stringContaining(`"protocolVersion":"${revision}"`), parseError])
})

verifies('D-4', http, async (cell) => {
  for (const profile of ['mcp', 'n8n']) {
    await inGateway(
      cell,
      { demo: demo() },
      async ({ gateway }) => {
        for (const url of gateway.urls) {
          for (const body of ['{"invalid json', '', '\u0000']) {
            const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
            const answer = await rawRequest(url, { headers, body })
            expect([answer.status, await answer.text()]).toEqual([400, parseError])
          }
        }
      },
      { config: { profile } },
    )
  }
})

verifies('D-5', {}, async (cell) => {
  const { log, records } = createLogRecorder()
  await inGateway(
    cell,
    { demo: demo() },
    async ({ client }) => {
      const one = await client()
      for (const notification of unanswered) await one.send(notification)
      await one.request('ping')
      const lines = records.filter(({ message }) => message === 'Received notification, no response')
      // The handshake has one notification of its own.
      const methods = ['notifications/initialized', ...unanswered.map(({ method }) => method)]
      expect(lines).toEqual(
        methods.map((method) => ({
          level: 'debug',
          message: 'Received notification, no response',
          fields: { method },
        })),
      )
    },
    { log },
  )
})

verifies('D-5', stdio, async () => {
  const command = typeInto(join(folder, 'mcp.json'), ['--log-level', 'debug'])
  command.type(`${initialized}\n`)
  expect((await command.end()).output).toBe('')
  const lines = command.log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as JsonObject)
  expect(lines.filter(({ message }) => message === 'Received notification, no response')).toEqual([
    expect.objectContaining({ level: 'debug', method: 'notifications/initialized' }),
  ])
})

verifies('D-6', stdio, async () => {
  const stdout = await stdoutOf('n8n', `${initialize}\n${initialized}\n{"jsonrpc":"2.0","id":"two","method":"ping"}\n`)
  const [opened, pong] = stdout.split('\n')
  expect(opened).toMatch(/^\{"jsonrpc":"2\.0","id":1,"result":\{.+\}\}$/)
  expect(pong).toBe('{"jsonrpc":"2.0","id":"two","result":{}}')
})

verifies('D-7', stdio, async () => {
  // The document's own input: a request and a notification, without a newline at the end.
  for (const profile of ['mcp', 'n8n'] as const) {
    const stdout = await stdoutOf(profile, `${initialize}\n${initialized}`)
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ id: 1, result: { protocolVersion: '2024-11-05' } })
  }
})

/** The counters on the admin ports of all nodes, by label. */
async function countsOf(admins: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (const url of admins) {
    const page = await (await rawRequest(`${url}/metrics`, { method: 'GET' })).text()
    for (const [, labels = '', value] of page.matchAll(/^mcp_notifications_total\{(.*)\} ([1-9]\d*)$/gm)) {
      counts[labels] = (counts[labels] ?? 0) + Number(value)
    }
  }
  return counts
}

const counted = { listen: { http: { port: 0 }, admin: { port: 0 } } }

verifies('D-8', {}, async (cell) => {
  await inGateway(
    cell,
    { demo: demo() },
    async ({ client, gateway }) => {
      const one = await client()
      for (const notification of [...notifications, ...unanswered]) await one.send(notification)
      await one.request('ping')
      // The handshake has one of its own; an empty name, an alias of another profile or an unknown name is not a label.
      expect(await countsOf(gateway.admins)).toEqual({
        'method="notifications/initialized"': 6,
        'method="notifications/roots/list_changed"': 2,
        'method="notifications/cancelled"': 5,
        'method="notifications/progress"': 3,
        'method="ping"': 6,
        'method="initialize"': 2,
        'method="tools/call"': 6,
        'method="other"': 9,
      })
    },
    { config: counted },
  )
})

verifies('D-8', { revisions: ['2024-11-05'] }, async (cell) => {
  await inGateway(
    cell,
    { demo: demo() },
    async ({ client, gateway }) => {
      const one = await client()
      for (const method of ['initialized', 'initialised']) await one.notify(method)
      await one.request('ping')
      // A notification with another name in this profile is counted under its canonical name.
      expect(await countsOf(gateway.admins)).toEqual({
        'method="notifications/initialized"': 2,
        'method="other"': 1,
      })
    },
    { config: { ...counted, profile: 'n8n' } },
  )
})
