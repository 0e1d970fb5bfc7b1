import { createBackend, createResource, createTool, definePlugin, ToolResponse } from '@junctor/plugin-sdk'
import { type JsonObject, type JsonValue, payloadOf } from '@junctor/jsonrpc'
import { expect } from 'vitest'
import * as z from 'zod'
import { handshakeRevisions } from '../src/cell.ts'
import { inGateway } from '../src/in-gateway.ts'
import { openPeer } from '../src/json-rpc-3/open-peer.ts'
import { openTextWire } from '../src/json-rpc-3/text-wire.ts'
import { verifies } from '../src/verifies.ts'

const link = { uri: 'notes://today', name: 'today' }
const parts: readonly ToolResponse[] = [
  ToolResponse.resourceLink(link),
  ToolResponse.resource(link.uri, 'noted', 'text/plain'),
  ToolResponse.audio('AAAA', 'audio/wav'),
  { content: [...(ToolResponse.text('and').content ?? []), ...(ToolResponse.resourceLink(link).content ?? [])] },
]
const config: z.ZodType<object> = z.strictObject({})
/** One tool gives its content in one piece, the other in several. */
const plugin = definePlugin({
  name: 'notes',
  key: 'plugin',
  config,
  create: (_config, { name, log }) =>
    createBackend({
      name,
      log,
      resources: [createResource({ ...link, read: () => 'noted' })],
      tools: [
        createTool({
          metadata: { name: 'whole', description: 'One piece', inputSchema: z.strictObject({}) },
          handler: () => ({ content: parts.flatMap(({ content }) => content ?? []) }),
        }),
        createTool({
          metadata: { name: 'pieces', description: 'Several', inputSchema: z.strictObject({}) },
          handler: () =>
            ToolResponse.stream(async function* () {
              yield* parts
            }),
        }),
      ],
    }),
})

/** Content without what only distinguishes the blocks of one result. */
function contentOf(result: JsonValue | undefined): JsonValue {
  const text = JSON.stringify((result as JsonObject)['content'])
  return JSON.parse(text.replaceAll(/attachment:\/\/audio\/[\w-]+/g, 'attachment://audio')) as JsonValue
}

verifies('C-4.2', { revisions: handshakeRevisions }, async (cell) => {
  await inGateway(
    cell,
    { notes: { plugin: 'notes' } },
    async ({ gateway, client }) => {
      const one = await client()
      const call = async (tool: string): Promise<JsonValue | undefined> =>
        (await one.request('tools/call', { name: `notes__${tool}`, arguments: {} }))['result']
      const whole = contentOf(await call('whole'))
      expect(contentOf(await call('pieces'))).toEqual(whole)

      const three = openPeer(await openTextWire(gateway, cell, 'lines'))
      try {
        const params = { protocolVersion: cell.revision, capabilities: {}, clientInfo: { name: 'three', version: '1' } }
        await three.peer.request('initialize', payloadOf(params))
        await three.peer.notify('notifications/initialized', undefined)
        const pieces: JsonValue[] = []
        const asked = payloadOf({ name: 'notes__pieces', arguments: {} })
        for await (const piece of three.peer.stream('tools/call', asked)) pieces.push(piece.value() as JsonValue)
        expect(contentOf({ content: pieces.flat<readonly JsonValue[]>() })).toEqual(whole)
      } finally {
        await three.close()
      }

      const embedded = (whole as readonly JsonObject[])[1] as { resource: { uri: string } }
      const read = await one.request('resources/read', { uri: embedded.resource.uri })
      expect(read).toMatchObject({ result: { contents: [{ text: 'noted' }] } })
    },
    { plugins: [plugin] },
  )
})
