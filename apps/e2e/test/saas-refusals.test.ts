import { expect } from 'vitest'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { rawRequest } from '../src/raw-request.ts'
import { headersAt, inSaas } from '../src/saas/in-saas.ts'
import { verifies } from '../src/verifies.ts'

// Which messages the profile `saas` refuses, and where the error is sent.

const everywhere = { ways: ['http'], revisions: ['2024-11-05', '2025-03-26', '2025-06-18'] } as const
const json = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const queued = [202, '{"status":"queued"}']

verifies('B-30', everywhere, async (cell) => {
  await inSaas(cell, async ({ client, urls }) => {
    const one = await client()
    const headers = { ...headersAt(cell.revision), ...json, 'mcp-session-id': one.session ?? '' }
    const post = async (message: JsonValue): Promise<unknown> => {
      const answer = await rawRequest(urls.at(-1) as string, { headers, body: JSON.stringify(message) })
      return [answer.status, await answer.text()]
    }
    const errorOn = async (id: JsonValue): Promise<JsonObject> =>
      (await one.until(({ message }) => message['id'] === id && message['error'] !== undefined)).message

    // Invalid requests whose id can be read.
    const bad: readonly JsonObject[] = [
      { jsonrpc: '2.0', id: 'params', method: 'ping', params: 5 },
      { jsonrpc: '2.0', id: 'method', method: 7 },
      { jsonrpc: '1.0', id: 'version', method: 'ping' },
      { jsonrpc: '2.0', id: 'nothing' },
    ]
    for (const message of bad) expect(await post(message)).toEqual(queued)
    for (const { id = null } of bad) expect(await errorOn(id)).toMatchObject({ error: { code: -32600 } })

    // The id of an open request. The jobs of a session are distinguished by the node that accepted them.
    const wait = {
      jsonrpc: '2.0',
      id: 'twice',
      method: 'tools/call',
      params: { name: 'count', arguments: { ms: 3_000 } },
    }
    expect(await post(wait)).toEqual(queued)
    expect(await post({ jsonrpc: '2.0', id: 'twice', method: 'ping' })).toEqual(queued)
    expect(await errorOn('twice')).toMatchObject({
      error: { code: -32600, message: expect.stringContaining('in flight') },
    })

    // A message without a usable id, or that is not JSON, is refused directly.
    for (const message of [{ jsonrpc: '2.0', id: true, method: 'ping' }, { jsonrpc: '2.0' }, []]) {
      expect(await post(message)).toEqual([400, expect.stringContaining('"id":null')])
    }
    const body = { headers, body: '{"jsonrpc":' }
    expect((await rawRequest(urls[0] as string, body)).status).toBe(400)
  })
})

verifies('B-30', { ways: ['http'], revisions: ['2025-03-26'] }, async (cell) => {
  await inSaas(cell, async ({ client, urls }) => {
    const one = await client()
    const headers = { ...headersAt(cell.revision), ...json, 'mcp-session-id': one.session ?? '' }
    // The invalid entry is part of the one array on the stream.
    const batch = [{ jsonrpc: '2.0', id: 1, method: 'ping' }, { jsonrpc: '2.0', id: 2, method: 7 }, { jsonrpc: '2.0' }]
    const answer = await rawRequest(urls[0] as string, { headers, body: JSON.stringify(batch) })
    expect([answer.status, await answer.text()]).toEqual(queued)
    await one.until(({ message: { id } }) => id === 2)
    const ids = one.received.map(({ message: { id } }) => id)
    expect(ids).toContain(1)
    expect(ids).toContain(null)
  })
})

verifies('B-31', { ways: ['http'], revisions: ['2025-06-18'] }, async (cell) => {
  await inSaas(
    cell,
    async ({ urls, gateway }) => {
      const headers = { ...headersAt(cell.revision), ...json }
      const refusal = async (url: string, more: object = {}): Promise<unknown> => {
        const answer = await rawRequest(url, { headers: { ...headers, ...more }, body: '{}' })
        const { error } = JSON.parse(await answer.text()) as { error: { code: number } }
        return [answer.status, error.code]
      }
      const url = gateway.urls[0] ?? ''
      expect(await refusal(`${url}/nobody`)).toEqual([404, -32603])
      expect(await refusal(url.replace(/mcp$/, 'elsewhere'))).toEqual([404, -32603])
      expect(await refusal(urls[0] ?? '', { origin: 'https://evil.example' })).toEqual([403, -32603])
      expect(await refusal(urls[0] ?? '', { host: 'evil.example' })).toEqual([403, -32603])
      // An unknown caller gets a challenge for a token, regardless of the path.
      expect(await refusal(`${url}/nobody`, { authorization: 'Bearer wrong' })).toEqual([401, -32000])
    },
    { config: { profile: 'saas' } },
  )
})
