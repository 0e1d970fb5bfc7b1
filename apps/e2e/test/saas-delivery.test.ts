import { eventually } from '@junctor/testkit'
import { expect } from 'vitest'
import { type RawAnswer, rawRequest } from '../src/raw-request.ts'
import { resultOf, textOf } from '../src/result-of.ts'
import { readReceivedStream, type ReceivedStream } from '../src/saas/received-stream.ts'
import { agency, headersAt, inSaas, otherToken, publicUrl, token } from '../src/saas/in-saas.ts'
import { verifies } from '../src/verifies.ts'

// The profile `saas` in detail: which answers are direct, the form of streams, and the isolation of answers.

const everywhere = { ways: ['http'], revisions: ['2024-11-05', '2025-03-26', '2025-06-18'] } as const
const asTheDocument = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const json = { 'content-type': 'application/json' }
const ping = (id: number): string => JSON.stringify({ jsonrpc: '2.0', method: 'ping', id })

/** Resolves with the text of a stream so far, as soon as it contains the given text. */
function createReader(answer: RawAnswer): (text: string) => Promise<string> {
  let received = ''
  answer.onText((text) => (received += text))
  return (text) =>
    eventually(() => {
      expect(received).toContain(text)
      return received
    })
}

verifies('B-1', everywhere, async (cell) => {
  await inSaas(cell, async ({ client, urls, gateway }) => {
    const one = await client({ listens: false })
    const session = one.session ?? ''
    const headers = { ...headersAt(cell.revision), ...json }
    // The id of an open request cannot be used again.
    let id = 0
    const post = async (path: string, more: object = {}): Promise<number> => {
      const answer = await rawRequest(urls[0] + path, { headers: { ...headers, ...more }, body: ping((id += 1)) })
      answer.drop()
      return answer.status
    }
    expect(await post('', { 'mcp-session-id': session })).toBe(202)
    expect(await post(`/${session}`)).toBe(202)
    expect(await post(`?session_id=${session}`)).toBe(202)
    expect(await post(`/${session}?session_id=${session}`, { 'mcp-session-id': session })).toBe(202)
    const { session: second = '' } = await client({ listens: false })
    expect(await post(`/${session}`, { 'mcp-session-id': second })).toBe(400)
    expect(await post(`?session_id=${second}`, { 'mcp-session-id': session })).toBe(400)
    expect(await post(`/${session}?session_id=${second}`)).toBe(400)
    expect(await post('')).toBe(400)
    const elsewhere = `${gateway.urls[0]}/no-such-agency`
    const unknown = await rawRequest(elsewhere, { headers: { ...headers, 'mcp-session-id': session }, body: ping(1) })
    expect(unknown.status).toBe(404)
    for (const path of [`/${session}`, `?session_id=${session}`]) {
      const stream = await rawRequest(urls[0] + path, { method: 'GET', headers: headersAt(cell.revision) })
      expect(stream.status).toBe(200)
      stream.drop()
    }
  })
})

verifies(['B-2', 'B-4'], everywhere, async (cell) => {
  await inSaas(cell, async ({ client, urls }) => {
    const one = await client({ listens: false })
    const headers = { ...headersAt(cell.revision), ...json, 'mcp-session-id': one.session ?? '' }
    const queued = await rawRequest(urls[0] as string, { headers, body: ping(1) })
    expect(queued.status).toBe(202)
    expect(queued.headers['content-type']).toMatch(/^application\/json/)
    expect(await queued.text()).toBe('{"status":"queued"}')
    const message = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' }
    const notification = await rawRequest(urls[0] as string, { headers, body: JSON.stringify(message) })
    expect(notification.status).toBe(202)
    expect(await notification.text()).toBe('')
    const broken = await rawRequest(urls[0] as string, { headers, body: '{"jsonrpc": "2.0", "method"' })
    expect(broken.status).toBe(400)
    expect(await broken.text()).toBe('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}')
  })
})

verifies(['B-3', 'B-6', 'B-23'], everywhere, async (cell) => {
  await inSaas(cell, async ({ client, urls }) => {
    const one = await client({ listens: false })
    const session = { 'mcp-session-id': one.session ?? '' }
    const headers = { ...headersAt(cell.revision), ...json }
    const refusal = async (given: Readonly<Record<string, string>>, method = 'POST'): Promise<unknown> => {
      const body = method === 'POST' ? ping(1) : ''
      const answer = await rawRequest(urls.at(-1) as string, { method, headers: given, body })
      const { error } = JSON.parse(await answer.text()) as { error: { code: number; message: string } }
      return [answer.status, error.code, error.message]
    }
    expect(await refusal({ ...json, ...session })).toEqual([401, -32000, 'Authentication required'])
    expect(await refusal({ ...headers, authorization: 'Bearer wrong' })).toEqual([401, -32000, expect.any(String)])
    expect(await refusal(headers)).toEqual([400, -32001, 'Session required'])
    const unknown = { 'mcp-session-id': 'sess_1234567890abcdef' }
    expect(await refusal({ ...headers, ...unknown })).toEqual([404, -32001, 'Session required'])
    expect(await refusal({ ...headers, ...session }, 'PUT')).toEqual([405, -32002, expect.any(String)])
    expect(await refusal({ ...headers, ...session, 'content-type': 'text/plain' })).toEqual([
      415,
      -32600,
      expect.any(String),
    ])
    if (cell.revision !== '2025-06-18') return
    expect(await refusal({ ...headersAt('any other'), ...json, ...session })).toEqual([400, -32600, expect.any(String)])
  })
})

verifies('B-20', everywhere, async (cell) => {
  await inSaas(cell, async ({ client, urls }) => {
    const one = await client({ listens: false })
    const headers = { ...headersAt(cell.revision), 'mcp-session-id': one.session ?? '' }
    const body =
      '[{"jsonrpc": "2.0", "method": "tools/list", "id": 1}, {"jsonrpc": "2.0", "method": "prompts/list", "id": 2}]'
    const answer = await rawRequest(urls[0] as string, { headers: { ...headers, ...json }, body })
    if (cell.revision !== '2025-03-26') {
      expect([answer.status, await answer.text()]).toEqual([202, '{"status":"queued"}'])
      await one.listen?.()
      const { message } = await one.until(({ message: { error } }) => error !== undefined)
      expect(message).toMatchObject({ id: null, error: { code: -32600, message: expect.stringContaining('batch') } })
      return
    }
    expect([answer.status, await answer.text()]).toEqual([202, '{"status":"queued"}'])
    const stream = await rawRequest(urls.at(-1) as string, { method: 'GET', headers })
    const received = await createReader(stream)(']\n')
    const line = received.split('\n').find((candidate) => candidate.startsWith('[')) ?? '[]'
    const batch = JSON.parse(line) as readonly { id: number; result: object }[]
    expect(batch.toSorted((a, b) => a.id - b.id)).toMatchObject([
      { id: 1, result: { tools: [{ name: 'echo' }, {}, {}, {}] } },
      { id: 2, result: { prompts: [{ name: 'greeting' }] } },
    ])
    stream.drop()
  })
})

verifies('B-21', { ways: ['http'], revisions: ['2024-11-05'] }, async (cell) => {
  const config = { limits: { streamKeepAlive: '50ms' } }
  await inSaas(
    cell,
    async ({ client, urls }) => {
      const one = await client({ listens: false })
      const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'cache-control': 'no-cache' }
      // An answer that comes before the stream is open waits for it.
      await one.post({ jsonrpc: '2.0', method: 'ping', id: 2 })
      const stream = await rawRequest(`${urls[0]}?session_id=${one.session}`, { method: 'GET', headers })
      expect(stream.headers['content-type']).toMatch(/^text\/event-stream/)
      const reader = createReader(stream)
      await reader('pong')
      const received = await reader(': keepalive\n')
      // A node may answer later than the first keep-alive.
      const [endpoint, message] = received.split('\n\n').filter((event) => !event.startsWith(':'))
      expect(endpoint).toBe(`event: endpoint\ndata: ${publicUrl}/mcp/${agency}/${one.session}`)
      const pong = /^(?:id: .*\n)?event: message\n(?:id: .*\n)?data: \{"jsonrpc":"2\.0",.*"status":"pong".*\}$/
      expect(message).toMatch(pong)
      // The endpoint works when the public address is replaced by that of a node.
      const path = new URL(endpoint?.split('data: ')[1] ?? '').pathname
      const posted = await rawRequest(new URL(path, urls.at(-1)).href, {
        headers: { ...headersAt(cell.revision), ...json },
        body: ping(3),
      })
      expect(posted.status).toBe(202)
      stream.drop()
    },
    { config },
  )
})

verifies('B-22', { ways: ['http'], revisions: ['2025-03-26', '2025-06-18'] }, async (cell) => {
  const config = { limits: { streamKeepAlive: '50ms' } }
  await inSaas(
    cell,
    async ({ client, urls }) => {
      const one = await client({ listens: false })
      await one.post({ jsonrpc: '2.0', method: 'ping', id: 1 })
      const headers = headersAt(cell.revision)
      const stream = await rawRequest(`${urls[0]}?session_id=${one.session}`, { method: 'GET', headers })
      expect(stream.headers['content-type']).toMatch(/^application\/x-ndjson/)
      const received = await createReader(stream)('notifications/ping')
      const lines = received.split('\n').filter((line) => line !== '')
      expect(JSON.parse(lines[0] ?? '')).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/connection',
        params: { status: 'connected', sessionId: one.session },
      })
      expect(JSON.parse(lines[1] ?? '')).toMatchObject({ id: 1, result: { status: 'pong' } })
      expect(JSON.parse(lines.find((line) => line.includes('notifications/ping')) ?? '')).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/ping',
        params: { timestamp: expect.stringMatching(asTheDocument) },
      })
      stream.drop()
      // A client that accepts only events gets events.
      const events = { ...headers, accept: 'text/event-stream' }
      const other = await rawRequest(`${urls[0]}?session_id=${one.session}`, { method: 'GET', headers: events })
      expect(other.headers['content-type']).toMatch(/^text\/event-stream/)
      other.drop()
    },
    { config },
  )
})

verifies('B-24', { ways: ['http'], revisions: ['2025-03-26'] }, async (cell) => {
  await inSaas(cell, async ({ urls }) => {
    const authorized = { Authorization: `Bearer ${token}`, accept: '*/*', 'user-agent': 'curl/8.5.0' }
    const versioned = { 'MCP-Protocol-Version': '2025-03-26' }
    const [first = '', second = first] = urls
    const initialize = await rawRequest(first, {
      headers: { ...authorized, 'Content-Type': 'application/json', ...versioned },
      body: `{
    "jsonrpc": "2.0",
    "method": "initialize",
    "params": {
      "protocolVersion": "2025-03-26",
      "capabilities": {},
      "clientInfo": {
        "name": "Test Client",
        "version": "1.0.0"
      }
    },
    "id": 1
  }`,
    })
    expect(initialize.status).toBe(200)
    const session = String(initialize.headers['mcp-session-id'])
    expect(session).toMatch(/^sess_/)
    await initialize.text()
    const stream = await rawRequest(`${second}?session_id=${session}`, {
      method: 'GET',
      headers: { ...authorized, ...versioned },
    })
    const until = createReader(stream)
    const request = await rawRequest(first, {
      headers: { ...authorized, 'Mcp-Session-Id': session, 'Content-Type': 'application/json', ...versioned },
      body: `{
    "jsonrpc": "2.0",
    "method": "tools/list",
    "id": 2
  }`,
    })
    expect(await request.text()).toBe('{"status":"queued"}')
    expect(await until('"id":2')).toContain('"name":"echo"')
    stream.drop()
  })
})

verifies('B-26', everywhere, async (cell) => {
  await inSaas(cell, async ({ client, urls }) => {
    const one = await client({ listens: false })
    const headers = { ...headersAt(cell.revision), 'mcp-session-id': one.session ?? '' }
    const listen = (url = ''): Promise<RawAnswer> =>
      rawRequest(url, { method: 'GET', headers: { ...headers, accept: 'text/event-stream' } })
    const first = await listen(urls[0])
    const params = { name: 'count', arguments: { ms: 300 } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'once', method: 'tools/call', params })
    const asked = await rawRequest(urls[0] as string, { headers: { ...headers, ...json }, body })
    expect(await asked.text()).toBe('{"status":"queued"}')
    // The client disconnects before the answer, and reconnects to another node after it.
    first.drop()
    const second = await listen(urls.at(-1))
    const received = await createReader(second)('"id":"once"')
    const data = received.split('\n').filter((line) => line.startsWith('data: ') && line.includes('"once"'))
    expect(data).toHaveLength(1)
    second.drop()
    expect(textOf(JSON.parse(data[0]?.slice('data: '.length) ?? '') as never)).toBe('1')
    // The call was not run again.
    const third = await listen(urls[0])
    const until = createReader(third)
    const again = { jsonrpc: '2.0', id: 'again', method: 'tools/call', params: { name: 'count', arguments: {} } }
    await rawRequest(urls.at(-1) as string, { headers: { ...headers, ...json }, body: JSON.stringify(again) })
    expect(await until('"id":"again"')).toContain('"text":"2"')
    third.drop()
  })
})

verifies(['B-26', 'B-28'], everywhere, async (cell) => {
  await inSaas(cell, async ({ client, urls }) => {
    const one = await client({ listens: false })
    const headers = { ...headersAt(cell.revision), 'mcp-session-id': one.session ?? '' }
    const listen = async (at: string | undefined, place?: string): Promise<ReceivedStream> => {
      const query = place === undefined ? '' : `?cursor=${place}`
      return readReceivedStream(`${at}${query}`, { ...headers, ...(place && { 'last-event-id': place }) })
    }
    const ids = ({ received }: ReceivedStream): unknown[] => received.map(({ message }) => message['id'])
    const ask = async (from: number): Promise<void> => {
      for (let id = from; id < from + 3; id += 1) {
        // oxlint-disable-next-line no-await-in-loop
        await rawRequest(urls.at(-1) as string, { headers: { ...headers, ...json }, body: ping(id) })
      }
    }
    await ask(1)
    const first = await listen(urls[0], '')
    await eventually(() => expect(new Set(ids(first))).toEqual(new Set([1, 2, 3])))
    const [had, ...lost] = first.received
    first.drop()
    // A client with a cursor gets everything after it, each time.
    for (const at of [urls.at(-1), urls[0]]) {
      // oxlint-disable-next-line no-await-in-loop
      const again = await listen(at, had?.cursor)
      // oxlint-disable-next-line no-await-in-loop
      await eventually(() => expect(again.received).toEqual(lost))
      again.drop()
    }
    // A client without a cursor gets the possibly lost answers once more.
    const kept = await listen(urls[0])
    await ask(4)
    await eventually(() => expect(new Set(ids(kept))).toEqual(new Set([4, 5, 6])))
    kept.drop()
    const shown = await listen(urls.at(-1))
    await eventually(() => expect(new Set(ids(shown))).toEqual(new Set([4, 5, 6])))
    shown.drop()
    const last = await listen(urls[0])
    await ask(7)
    await eventually(() => expect(new Set(ids(last))).toEqual(new Set([7, 8, 9])))
    last.drop()
  })
})

verifies('B-27', everywhere, async (cell) => {
  await inSaas(cell, async ({ client, urls }) => {
    const victim = await client()
    const headers = headersAt(cell.revision)
    const foreign = { ...headers, authorization: `Bearer ${otherToken}` }
    for (const url of urls) {
      for (const way of [`/${victim.session}`, `?session_id=${victim.session}`]) {
        // oxlint-disable-next-line no-await-in-loop
        const stream = await rawRequest(url + way, { method: 'GET', headers: foreign })
        expect(stream.status).toBe(404)
        stream.drop()
        // oxlint-disable-next-line no-await-in-loop
        const posted = await rawRequest(url + way, { headers: { ...foreign, ...json }, body: ping(66) })
        expect([posted.status, JSON.parse(await posted.text())]).toMatchObject([404, { error: { code: -32001 } }])
      }
    }
    // Two callers with the same ids in flight: each gets its own answer.
    const other = await client({ headers: foreign })
    const echoed = (who: string): object => ({ name: 'echo', arguments: { message: `only for ${who}` } })
    const [mine, theirs] = await Promise.all([
      victim.request('tools/call', echoed('one') as never, 5),
      other.request('tools/call', echoed('two') as never, 5),
    ])
    expect(textOf(mine)).toContain('only for one')
    expect(textOf(theirs)).toContain('only for two')
    expect(JSON.stringify(victim.received)).not.toContain('only for two')
    expect(JSON.stringify(other.received)).not.toContain('only for one')
    expect(resultOf(mine)).toBeDefined()
  })
})
