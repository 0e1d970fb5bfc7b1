import {
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { type ScriptedRequest, startScriptedServer } from '@junctor/testkit'
import { expect, onTestFinished } from 'vitest'
import { inGateway } from '../src/in-gateway.ts'
import { resultOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

const object = { type: 'object' }

/** What servers list, each of which makes the official clients refuse the whole list. */
const oddTools: readonly JsonObject[] = [
  { inputSchema: { ...object, properties: { any: true, none: false, text: { type: 'string' } } } },
  { inputSchema: { ...object, properties: null, required: null } },
  { inputSchema: { ...object, required: true } },
  { inputSchema: object, outputSchema: { type: 'array', items: {} } },
  { inputSchema: object, outputSchema: { ...object, properties: { any: true }, required: null } },
  { inputSchema: object, annotations: { title: null, readOnlyHint: true } },
  { inputSchema: object, icons: [{ src: 'https://example.com/a.png', sizes: '48x48', mimeType: null }] },
]
const oddAnnotations: readonly JsonObject[] = [
  { audience: ['model'], priority: 1 },
  { priority: 5 },
  { lastModified: '2025-01-12' },
  { lastModified: null },
]
const lists: Readonly<Record<string, JsonValue>> = {
  'tools/list': { tools: oddTools.map((tool, index) => ({ name: `t${index}`, ...tool })) },
  'resources/list': {
    resources: oddAnnotations.map((annotations, at) => ({ name: 'r', uri: `a:${at}`, annotations })),
  },
  'resources/templates/list': {
    resourceTemplates: oddAnnotations.map((annotations, at) => ({ name: 'r', uriTemplate: `a:${at}{b}`, annotations })),
  },
  'prompts/list': {
    prompts: [{ name: 'p', arguments: [{ name: 'x', description: null, required: null }, { name: 'y' }] }],
  },
}

async function oddServer(): Promise<string> {
  const served = await startScriptedServer(({ body }: ScriptedRequest, response) => {
    const { id, method = '' } = body as { readonly id?: number; readonly method?: string }
    if (id === undefined) return void response.writeHead(202).end()
    const capabilities = { tools: {}, resources: {}, prompts: {} }
    const serverInfo = { name: 'odd', version: '1' }
    const result = lists[method] ?? { protocolVersion: '2025-11-25', capabilities, serverInfo }
    return void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  onTestFinished(() => served.close())
  return served.origin
}

verifies('MCP-6.26', { ways: ['http'] }, async (cell) => {
  await inGateway(cell, { odd: { url: await oddServer() } }, async ({ client }) => {
    const one = await client()
    const ask = async (method: string): Promise<unknown> => resultOf(await one.request(method))

    const { tools } = ListToolsResultSchema.parse(await ask('tools/list'))
    expect(tools.map(({ name }) => name)).toEqual(oddTools.map((_tool, index) => `odd__t${index}`))
    expect(tools[0]?.inputSchema.properties).toEqual({ any: {}, none: { not: {} }, text: { type: 'string' } })
    expect(tools[3]).not.toHaveProperty('outputSchema')
    expect(tools[6]?.icons).toEqual([{ src: 'https://example.com/a.png' }])

    const { resources } = ListResourcesResultSchema.parse(await ask('resources/list'))
    expect(resources.map(({ annotations }) => annotations)).toEqual([{ priority: 1 }, {}, {}, {}])
    const { resourceTemplates } = ListResourceTemplatesResultSchema.parse(await ask('resources/templates/list'))
    expect(resourceTemplates).toHaveLength(oddAnnotations.length)
    const { prompts } = ListPromptsResultSchema.parse(await ask('prompts/list'))
    expect(prompts[0]?.arguments).toEqual([{ name: 'x' }, { name: 'y' }])
  })
})
