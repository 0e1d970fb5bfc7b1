import { expect } from 'vitest'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { answerTo, onStage, request } from '../src/json-rpc-3/on-stage.ts'
import { verifies } from '../src/verifies.ts'

// JSON-RPC 3.0 as another message format for the same features, with a peer of the library at the other end.

verifies(['C-2.1', 'C-8'], {}, async (cell) => {
  await onStage(cell, async ({ say, client }) => {
    const [first, second, third] = await say(
      [
        '{"jsonrpc":"3.0","method":"ping","id":1}',
        '{"jsonrpc":"2.0","method":"initialize","id":2,"params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}',
        '{"jsonrpc":"4.0","method":"ping","id":3}',
      ],
      3,
    )
    expect(first).toMatchObject({ jsonrpc: '3.0', id: 1, result: {} })
    expect(second).toMatchObject({ jsonrpc: '2.0', id: 2 })
    expect(third).toMatchObject({ error: { code: -32600 } })
    // A session of 2.0 beside it gets no message of 3.0.
    const old = await client()
    await old.request('ping')
    expect(old.received.map(({ message }) => message['jsonrpc'])).not.toContain('3.0')
  })
})

verifies(['C-3.1', 'C-4.1'], {}, async (cell) => {
  await onStage(cell, async ({ say }) => {
    const ids: readonly JsonValue[] = [0, -1, 'text', '', 1.5, null]
    for (const id of ids) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await say([request({ method: 'ping', id })], 1)).toEqual([{ jsonrpc: '3.0', id, result: {} }])
    }
    // Neither of the notifications is answered.
    const answers = await say(
      [
        request({ method: 'notifications/unknown' }),
        request({ method: 'add', params: [1] }),
        request({ method: 'ping', id: 'last' }),
      ],
      1,
    )
    expect(answers).toEqual([{ jsonrpc: '3.0', id: 'last', result: {} }])
  })
})

verifies(['C-5.2', 'C-6.3', 'C-7'], {}, async (cell) => {
  await onStage(cell, async ({ say, peer }) => {
    const error = (code: number): object => ({ code, title: expect.any(String), message: expect.any(String) })
    const call = (name: string): string => request({ method: 'tools/call', params: { name, arguments: {} }, id: 1 })
    const cases: readonly (readonly [string, number])[] = [
      [request({ method: 'no.such', id: 1 }), -32601],
      [request({ method: 'tools/call', params: { name: 3 }, id: 1 }), -32602],
      [call('no__such'), -32004],
      [request({ method: 'resources/read', params: { uri: 'no://such' }, id: 1 }), -32004],
      ['{"jsonrpc":"3.0","method":1,"id":1}', -32600],
    ]
    for (const [text, code] of cases) {
      // oxlint-disable-next-line no-await-in-loop
      const [answer] = await say([text], 1)
      expect(answer).toMatchObject({ jsonrpc: '3.0', id: 1, error: error(code) })
    }
    // A stream that fails, in stream form.
    const [failed] = await say([request({ method: 'no.such', id: 7, options: { stream: true } })], 1)
    expect(failed).toMatchObject({ jsonrpc: '3.0', stream: { id: 7 }, error: error(-32601) })
    expect(failed).not.toHaveProperty('id')
    // A backend's own error keeps its code and message, and gets a title.
    const own = await answerTo(await peer(), 'tools/call', { name: 'lean__fail', arguments: { x: 1 } })
    expect(own).toMatchObject({ message: 'own words' })
  })
})

verifies('C-5.2', { ways: ['http'] }, async (cell) => {
  await onStage(cell, async ({ gateway }) => {
    const [url = ''] = gateway.urls
    const body = request({ method: 'rpc.extensions', params: { extensions: [] }, id: 'agree' })
    const plain = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
    const agreed = await fetch(url, { method: 'POST', headers: plain, body })
    await agreed.text()
    const session = agreed.headers.get('mcp-session-id') ?? ''
    const unknown = `${session.slice(0, -22)}${'x'.repeat(22)}:1`
    for (const lastId of ['invented', unknown]) {
      const headers = { accept: 'text/event-stream', 'mcp-session-id': session, 'last-event-id': lastId }
      // oxlint-disable-next-line no-await-in-loop
      const refused: unknown = await (await fetch(url, { headers })).json()
      expect(refused).toMatchObject({
        jsonrpc: '3.0',
        id: null,
        error: { code: -32600, title: expect.any(String), message: expect.stringContaining('Unknown event id') },
      })
    }
  })
})

verifies('C-9', {}, async (cell) => {
  await onStage(cell, async ({ say }) => {
    const batch = `[${request({ method: 'ping', id: 1 })},${request({ method: 'notifications/x' })},${request({ method: 'ping', id: 2 })}]`
    const answers = (await say([batch], 1)).flat() as readonly JsonObject[]
    expect(answers.toSorted((a, b) => Number(a['id']) - Number(b['id']))).toEqual(
      [1, 2].map((id) => ({ jsonrpc: '3.0', id, result: {} })),
    )
  })
})

verifies('C-12', {}, async (cell) => {
  await onStage(cell, async ({ peer }) => {
    const one = await peer()
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'three', version: '1' } }
    expect(await answerTo(one, 'initialize', params)).toMatchObject({ protocolVersion: '2025-11-25' })
    await one.peer.notify('notifications/initialized', undefined)
    const { tools } = (await answerTo(one, 'tools/list')) as { tools: readonly { name: string }[] }
    expect(tools.map(({ name }) => name)).toContain('demo__echo')
    const echo = { name: 'demo__echo', arguments: { message: 'in 3.0' } }
    expect(await answerTo(one, 'tools/call', echo)).toMatchObject({ content: [{ text: 'in 3.0' }] })
    expect(await answerTo(one, 'prompts/list')).toMatchObject({ prompts: [{ name: 'demo__greeting' }] })
    expect(await answerTo(one, 'resources/list')).toMatchObject({ resources: expect.any(Array) })
    expect(await answerTo(one, 'logging/setLevel', { level: 'debug' })).toEqual({})
    // Plain methods are not tools.
    expect(JSON.stringify(tools)).not.toContain('play.stream')
  })
})
