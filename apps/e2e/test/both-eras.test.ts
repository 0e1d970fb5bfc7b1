import type { JsonObject } from '@junctor/jsonrpc'
import { expect } from 'vitest'
import { bothEras, demo, inGateway } from '../src/in-gateway.ts'
import { inStateless } from '../src/in-stateless.ts'
import { resultOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

const answers = {
  'elicitation/create': () => ({ action: 'accept', content: { answer: 'yes' } }),
}
const capabilities = { elicitation: {} }
const ask = { name: 'both__ask', arguments: { text: 'sure?' } }

verifies('ERA-25', { revisions: ['2025-06-18', '2025-11-25'] }, async (cell) => {
  await inStateless(cell, { both: bothEras() }, async ({ client, stateless }) => {
    const older = await client({ capabilities, answers })
    expect(textOf(await older.request('tools/call', ask))).toBe('{"answer":"yes"}')
    const newer = await stateless({ capabilities })
    // The client reaches the server as it would without the gateway.
    expect(resultOf(await newer.request('tools/call', ask))).toMatchObject({ isError: true })
    expect(textOf(await older.request('tools/call', ask))).toBe('{"answer":"yes"}')
  })
})

verifies('ERA-26', { ways: ['http'], revisions: ['2025-03-26', '2025-06-18', '2025-11-25'] }, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ gateway }) => {
    const [url = ''] = gateway.urls
    const post = async (
      message: JsonObject & { readonly method: string },
      headers: Readonly<Record<string, string>>,
    ) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-method': message.method,
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      })
      return { status: response.status, session: response.headers.get('mcp-session-id'), text: await response.text() }
    }
    const clientInfo = { name: 'mcp-remote', version: '1' }
    const params = { protocolVersion: cell.revision, capabilities: {}, clientInfo }
    const opened = await post({ id: 0, method: 'initialize', params }, {})
    expect(opened).toMatchObject({ status: 200, text: expect.stringContaining(cell.revision) })
    const session = { 'mcp-session-id': opened.session ?? '', 'mcp-protocol-version': cell.revision }
    expect(await post({ method: 'notifications/initialized' }, session)).toMatchObject({ status: 202 })
    const named = { ...session, 'mcp-name': 'demo__add' }
    const call = { id: 1, method: 'tools/call', params: { name: 'demo__add', arguments: { a: 1, b: 2 } } }
    const sum = { status: 200, text: expect.stringContaining('{\\"sum\\":3}') }
    expect(await post(call, named)).toMatchObject(sum)
    // The Kotlin SDK names no version.
    const { 'mcp-protocol-version': _, ...bare } = named
    expect(await post(call, bare)).toMatchObject(sum)
  })
})
