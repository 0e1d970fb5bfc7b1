import { expect, it } from 'vitest'
import { type JsonObject, payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { mapTool } from './map-tool.ts'

const tool = (more: JsonObject): JsonObject => ({ name: 'show', inputSchema: { type: 'object' }, ...more })

it('maps the views of a tool in each spelling, and keeps all else', () => {
  const meta = (view: string): JsonObject => ({
    ui: { resourceUri: view, visibility: ['app'], csp: { connectDomains: ['https://a.example'] } },
    'ui/resourceUri': view,
    'openai/outputTemplate': view,
  })
  expect(mapTool(payloadOf(tool({ _meta: meta('ui://a/b') })), 'files').value()).toEqual(
    tool({ _meta: meta('ui://files/a/b') }),
  )
})

it('removes the logins of the backend, with and without a prefix', () => {
  const item = tool({ securitySchemes: [{ type: 'oauth2' }], _meta: { securitySchemes: [], kept: 1 } })
  for (const prefix of ['files', '']) {
    const mapped = mapTool(payloadOf(item), prefix).value() as JsonObject
    expect(JSON.stringify(mapped)).toBe(JSON.stringify(tool({ _meta: { kept: 1 } })))
  }
})

it.each([
  tool({}),
  tool({ _meta: { ui: { visibility: ['app'] } } }),
  tool({ _meta: { 'openai/outputTemplate': 'https://a.example/x' } }),
  tool({ _meta: { ui: null, 'ui/resourceUri': 5 } }),
  tool({ _meta: null }),
])('does not change %j', (item) => {
  const payload = payloadOf(item)
  expect(mapTool(payload, 'files')).toBe(payload)
})

it('keeps numbers that a double would change', () => {
  const text = '{"name":"a","_meta":{"big":9007199254740993,"ui":{"n":9007199254740993,"resourceUri":"ui://x"}}}'
  expect(printPayload(mapTool(payloadFromText(text), 'p'))).toBe(text.replace('ui://x', 'ui://p/x'))
})
