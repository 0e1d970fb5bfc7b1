import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@junctor/testkit'
import { afterAll, beforeAll, expect } from 'vitest'
import { demo } from '../src/in-gateway.ts'
import { errorOf, resultOf } from '../src/result-of.ts'
import { agency, type DocumentClient, inSaas } from '../src/saas/in-saas.ts'
import { verifies } from '../src/verifies.ts'

// The profile `saas` for the client that its document prints: each of its methods, with the document's own messages.

const everywhere = { ways: ['http'], revisions: ['2024-11-05', '2025-03-26', '2025-06-18'] } as const
const since2025 = { ways: ['http'], revisions: ['2025-03-26', '2025-06-18'] } as const

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-saas-'))
  writeFileSync(join(folder, 'notes.txt'), 'written down')
})
afterAll(() => rmSync(folder, { recursive: true }))

const asTheDocument = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const queued = { status: 202, contentType: expect.stringMatching(/^application\/json/), body: '{"status":"queued"}' }

/** The answer to a method on the stream; the direct response is always the same. */
async function call(
  { client, around }: DocumentClient,
  method: string,
  params?: Parameters<DocumentClient['client']['call']>[2],
): ReturnType<DocumentClient['client']['call']> {
  const answer = await client.call(agency, method, params)
  expect(around.posts.at(-1)).toEqual(queued)
  expect(answer).toMatchObject({ jsonrpc: '2.0' })
  return answer
}

verifies(['B-5', 'B-25'], everywhere, async (cell) => {
  await inSaas(cell, async ({ documentClient }) => {
    const one = await documentClient()
    expect(one.client.sessionId).toMatch(/^sess_[\w-]{20,}$/)
    expect(one.opened).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: cell.revision,
        capabilities: {
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: { subscribe: false, listChanged: true },
          ...(cell.revision !== '2024-11-05' && { completions: true }),
        },
        serverInfo: { name: 'junctor', version: expect.any(String) },
      },
    })
    expect(one.around.posts).toMatchObject([{ status: 200, contentType: expect.stringContaining('application/json') }])
    const tools = resultOf(await call(one, 'tools/list'))['tools']
    expect(tools).toMatchObject([{ name: 'echo' }, { name: 'speech' }, { name: 'work' }, { name: 'count' }])
    one.client.disconnect()
  })
})

verifies(['B-2', 'B-7'], everywhere, async (cell) => {
  await inSaas(cell, async ({ documentClient }) => {
    const one = await documentClient()
    expect(resultOf(await call(one, 'ping'))).toEqual({
      status: 'pong',
      timestamp: expect.stringMatching(asTheDocument),
    })
    // Each request gets its own answer, in any order.
    const ids = (await Promise.all(Array.from({ length: 20 }, () => one.client.call(agency, 'ping')))).map(
      ({ id }) => id,
    )
    expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => index + 2))
    expect(new Set(one.around.posts.slice(1).map(({ body }) => body))).toEqual(new Set(['{"status":"queued"}']))
  })
})

verifies(['B-8', 'B-9'], everywhere, async (cell) => {
  await inSaas(cell, async ({ documentClient }) => {
    const one = await documentClient()
    const [echo] = resultOf(await call(one, 'tools/list'))['tools'] as unknown as readonly object[]
    expect(echo).toEqual({
      name: 'echo',
      description: 'Echo a message back',
      inputSchema: {
        type: 'object',
        properties: { message: { type: 'string', description: 'Message to echo' } },
        required: ['message'],
      },
      ...(cell.revision !== '2024-11-05' && {
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      }),
    })
    const params = { name: 'echo', arguments: { message: 'Hello MCP!' } }
    expect(resultOf(await call(one, 'tools/call', params))).toEqual({
      content: [
        {
          type: 'text',
          text: '{"message":"Hello MCP!","received_params":{"message":"Hello MCP!"},"context_available":true}',
        },
      ],
    })
  })
})

verifies('B-9', everywhere, async (cell) => {
  await inSaas(
    cell,
    async ({ documentClient }) => {
      const one = await documentClient()
      // A backend with structured content: the client gets its JSON text, and no schema declares the structure.
      const { tools } = resultOf(await call(one, 'tools/list')) as unknown as { tools: readonly { name: string }[] }
      expect(tools.find(({ name }) => name === 'other__add')).not.toHaveProperty('outputSchema')
      const sum = await call(one, 'tools/call', { name: 'other__add', arguments: { a: 2, b: 3 } })
      expect(resultOf(sum)).toEqual({ content: [{ type: 'text', text: '{"sum":5}' }] })
    },
    { backends: { other: demo({ prefix: 'other' }) } },
  )
})

verifies(['B-10', 'B-11'], everywhere, async (cell) => {
  await inSaas(cell, async ({ documentClient }) => {
    const one = await documentClient()
    expect(resultOf(await call(one, 'prompts/list'))).toEqual({
      prompts: [
        {
          name: 'greeting',
          description: 'Generate a friendly greeting prompt',
          arguments: [{ name: 'name', description: 'Name of the person to greet', required: false }],
        },
      ],
    })
    expect(resultOf(await call(one, 'prompts/get', { name: 'greeting', arguments: { name: 'Alice' } }))).toEqual({
      description: 'A friendly greeting prompt',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Please greet Alice in a friendly way.' }] }],
    })
  })
})

verifies(['B-12', 'B-13', 'B-14'], everywhere, async (cell) => {
  await inSaas(
    cell,
    async ({ documentClient }) => {
      const one = await documentClient()
      expect(resultOf(await call(one, 'resources/list'))).toEqual({
        resources: [
          {
            uri: 'server://status',
            name: 'Server Status',
            description: 'Current server status and health information',
            mimeType: 'application/json',
          },
        ],
      })
      const read = resultOf(await call(one, 'resources/read', { uri: 'server://status' }))
      const { contents } = read as unknown as { contents: readonly { text: string }[] }
      expect(contents).toEqual([{ uri: 'server://status', mimeType: 'application/json', text: expect.any(String) }])
      expect(JSON.parse(contents[0]?.text ?? '')).toEqual({
        status: 'healthy',
        timestamp: expect.stringMatching(asTheDocument),
        uptime: expect.any(Number),
      })
      expect(resultOf(await call(one, 'resources/templates/list'))).toEqual({
        resourceTemplates: [
          {
            uriTemplate: 'file://{path}',
            name: 'File Resource',
            description: 'Read file contents from the server',
            mimeType: 'text/plain',
          },
        ],
      })
      const uri = 'file://notes.txt'
      expect(resultOf(await call(one, 'resources/read', { uri }))).toEqual({
        contents: [{ uri, mimeType: 'text/plain', text: 'written down' }],
      })
    },
    { backends: { saas: demo({ saas: { files: folder } }) } },
  )
})

verifies('B-15', everywhere, async (cell) => {
  await inSaas(cell, async ({ documentClient }) => {
    const one = await documentClient()
    const params = { ref: { type: 'ref/tool', name: 'echo' }, argument: 'mes' }
    const answer = await call(one, 'completions/complete', params)
    if (cell.revision === '2024-11-05') expect(errorOf(answer)).toEqual({ code: -32601, message: 'Method not found' })
    else {
      expect(resultOf(answer)).toEqual({ completions: [{ value: 'message', description: 'Message parameter' }] })
      expect(resultOf(await call(one, 'completions/complete', { ...params, argument: 'x' }))).toEqual({
        completions: [],
      })
    }
  })
})

verifies(['B-16', 'B-17'], everywhere, async (cell) => {
  await inSaas(cell, async ({ documentClient }) => {
    const one = await documentClient()
    const form = {
      message: 'Please provide your contact information',
      requestedSchema: {
        type: 'object',
        properties: { name: { type: 'string' }, email: { type: 'string', format: 'email' } },
        required: ['name', 'email'],
      },
    }
    const elicited = await call(one, 'elicitation/create', form)
    if (cell.revision === '2025-06-18') {
      expect(resultOf(elicited)).toEqual({
        type: 'elicitation',
        prompt: form.message,
        requestedSchema: form.requestedSchema,
        requestId: elicited.id,
      })
    } else expect(errorOf(elicited)).toEqual({ code: -32601, message: 'Method not found' })
    const sampling = {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'What is the capital of France?' }] }],
      includeContext: 'none',
      temperature: 0.7,
      maxTokens: 100,
    }
    expect(resultOf(await call(one, 'sampling/createMessage', sampling))).toEqual({ received: true })
  })
})

verifies('B-18', since2025, async (cell) => {
  await inSaas(cell, async ({ documentClient }) => {
    const one = await documentClient()
    expect(resultOf(await call(one, 'tools/call', { name: 'speech', arguments: {} }))).toEqual({
      content: [
        { type: 'text', text: 'Generated audio file:' },
        { type: 'audio', data: 'UklGRg==', mimeType: 'audio/mpeg', name: 'speech.mp3' },
      ],
    })
  })
})

verifies('B-19', everywhere, async (cell) => {
  await inSaas(cell, async ({ documentClient }) => {
    const one = await documentClient()
    await call(one, 'tools/call', { name: 'work', arguments: {} })
    // Without a token, which the document's client never sends.
    await eventually(() => {
      expect(one.around.written).toContainEqual([
        'Progress:',
        { progress: 50, total: 100, ...(cell.revision !== '2024-11-05' && { message: 'Processing data...' }) },
      ])
    })
  })
})

verifies(['B-4', 'B-6', 'B-23'], everywhere, async (cell) => {
  await inSaas(cell, async ({ documentClient }) => {
    const one = await documentClient()
    expect(errorOf(await call(one, 'no/such'))).toEqual({ code: -32601, message: 'Method not found' })
    expect(errorOf(await call(one, 'tools/call', { name: 'nothing' })).code).toBe(-32602)
    expect(errorOf(await call(one, 'resources/read', { uri: 'file:///etc/passwd' })).code).toBe(-32602)
    // An unknown session.
    one.client.sessionId = 'sess_1234567890abcdef'
    void one.client.call(agency, 'ping').catch(() => {})
    await eventually(() => {
      expect(one.around.posts.at(-1)).toMatchObject({ status: 404, body: expect.stringContaining('-32001') })
    })
  })
})
