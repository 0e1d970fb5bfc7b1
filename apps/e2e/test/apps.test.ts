import { hash } from 'node:crypto'
import type { JsonObject } from '@junctor/jsonrpc'
import { expect, onTestFinished } from 'vitest'
import { answering, demo, ofSession } from '../src/in-gateway.ts'
import { inStateless, type StatelessScene } from '../src/in-stateless.ts'
import { errorOf, namesOf, resultOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'
import { openClient } from '../src/wire-client.ts'

const everywhere = { revisions: ['2025-11-25'] } as const
const identifier = 'io.modelcontextprotocol/ui'
const mimeType = 'text/html;profile=mcp-app'
const shown = { extensions: { [identifier]: { mimeTypes: [mimeType] } } }
const html = '<!doctype html><p>Grüße\u2028\r\n</p>'

const tool = (name: string, _meta?: JsonObject): JsonObject => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  ...(_meta !== undefined && { _meta }),
})

/** A server with views: of MCP Apps, with both of its spellings, and of ChatGPT. */
/** @param host the authority of its URIs */
const appServer = (host = 'clock'): JsonObject => ({
  capabilities: { tools: {}, resources: {} },
  results: {
    'tools/list': {
      tools: [
        tool('show', {
          ui: { resourceUri: `ui://${host}/view.html`, visibility: ['model', 'app'] },
          'ui/resourceUri': `ui://${host}/view.html`,
          big: 1,
        }),
        tool('tick', { ui: { visibility: ['app'] } }),
        tool('secret', { ui: { visibility: ['model'] } }),
        tool('chat', {
          'openai/outputTemplate': `ui://${host}/chat.html`,
          'openai/widgetAccessible': false,
          securitySchemes: [{ type: 'oauth2' }],
        }),
        { ...tool('web', { 'openai/outputTemplate': 'https://example.com/x' }), securitySchemes: [{ type: 'noauth' }] },
        tool('plain'),
        tool('received'),
      ],
    },
    'tools/call': {
      show: {
        content: [
          { type: 'resource_link', uri: `ui://${host}/view.html`, name: 'view' },
          { type: 'resource', resource: { uri: `ui://${host}/old`, mimeType: 'text/html', text: html } },
        ],
        structuredContent: { uri: `ui://${host}/view.html` },
        _meta: {
          ui: { resourceUri: `ui://${host}/view.html` },
          'openai/widgetSessionId': 'w',
          'mcp/www_authenticate': ['Bearer resource_metadata="http://backend/"'],
        },
      },
      tick: { content: [{ type: 'text', text: 'tick' }] },
      secret: { content: [{ type: 'text', text: 'secret' }] },
      plain: { content: [{ type: 'text', text: 'plain' }] },
    },
    'resources/list': { resources: [{ uri: `ui://${host}/view.html`, name: 'view', mimeType }] },
    'resources/read': {
      [`ui://${host}/view.html`]: {
        contents: [
          {
            uri: `ui://${host}/view.html`,
            mimeType,
            text: html,
            _meta: { ui: { domain: 'a9.claudemcpcontent.com', prefersBorder: true, csp: { connectDomains: [] } } },
          },
        ],
      },
      [`ui://${host}/chat.html`]: {
        contents: [{ uri: `ui://${host}/chat.html`, mimeType, text: html, _meta: { ui: { domain: 'apps.example' } } }],
      },
    },
  },
})

const able = [
  async ({ client }: StatelessScene) => client({ capabilities: shown }),
  async ({ stateless }: StatelessScene) => stateless({ capabilities: shown }),
]

verifies('APP-1', everywhere, async (cell) => {
  await inStateless(cell, { clock: answering(appServer()), demo: demo() }, async (scene) => {
    for (const open of able) {
      const one = await open(scene)
      const listed = resultOf(await one.request('tools/list'))['tools'] as readonly JsonObject[]
      const metaOf = (name: string) => listed.find((item) => item['name'] === name)?.['_meta']
      expect(metaOf('clock__show')).toEqual({
        ui: { resourceUri: 'ui://clock/clock/view.html', visibility: ['model', 'app'] },
        'ui/resourceUri': 'ui://clock/clock/view.html',
        big: 1,
      })
      expect(metaOf('clock__chat')).toMatchObject({ 'openai/outputTemplate': 'ui://clock/clock/chat.html' })
      expect(metaOf('clock__web')).toEqual({ 'openai/outputTemplate': 'https://example.com/x' })
      const result = resultOf(await one.request('tools/call', { name: 'clock__show', arguments: {} }))
      expect(result).toMatchObject({
        content: [{ uri: 'ui://clock/clock/view.html' }, { resource: { uri: 'ui://clock/clock/old', text: html } }],
        structuredContent: { uri: 'ui://clock/view.html' },
        _meta: { ui: { resourceUri: 'ui://clock/clock/view.html' }, 'openai/widgetSessionId': 'w' },
      })
      // Listed, not listed, and as the view itself names it.
      for (const uri of ['ui://clock/clock/view.html', 'ui://clock/clock/chat.html', 'ui://clock/view.html']) {
        const [content] = resultOf(await one.request('resources/read', { uri }))['contents'] as readonly JsonObject[]
        expect(content).toMatchObject({ uri, mimeType, text: html })
      }
      const unknown = errorOf(await one.request('resources/read', { uri: 'ui://elsewhere/nothing' }))
      expect([-32_002, -32_602]).toContain(unknown['code'])
    }
  })
})

verifies('APP-2', everywhere, async (cell) => {
  const backends = {
    clock: answering(appServer('face')),
    watch: answering(appServer('face')),
    demo: demo(),
  }
  const { watch: _, ...alone } = backends
  await inStateless(cell, alone, async (scene) => {
    for (const open of able) {
      const one = await open(scene)
      const listed = resultOf(await one.request('tools/list'))['tools'] as readonly JsonObject[]
      const named = (name: string) => listed.filter((item) => item['name'] === name)
      expect(named('tick')).toMatchObject([{ description: 'tick', _meta: { ui: { visibility: ['app'] } } }])
      expect(named('show')).toMatchObject([
        { _meta: { ui: { resourceUri: 'ui://clock/face/view.html', visibility: ['app'] } } },
      ])
      expect([named('secret'), named('chat'), named('echo')]).toEqual([[], [], []])
      for (const name of ['tick', 'plain']) {
        expect(textOf(await one.request('tools/call', { name, arguments: {} }))).toBe(name)
      }
      for (const name of ['secret', 'chat', 'echo']) {
        expect(errorOf(await one.request('tools/call', { name, arguments: {} })).code).toBe(-32_602)
      }
    }
    const plain = await scene.client()
    expect(namesOf(await plain.request('tools/list'))).not.toContain('tick')
  })
  await inStateless(cell, backends, async (scene) => {
    for (const open of able) {
      const one = await open(scene)
      expect(namesOf(await one.request('tools/list'))).not.toContain('tick')
      expect(errorOf(await one.request('tools/call', { name: 'tick', arguments: {} }))).toMatchObject({
        code: -32_602,
        data: { candidates: ['clock__tick', 'watch__tick'] },
      })
      const uri = 'ui://face/view.html'
      expect(errorOf(await one.request('resources/read', { uri }))).toMatchObject({
        code: -32_602,
        data: { candidates: ['ui://clock/face/view.html', 'ui://watch/face/view.html'] },
      })
    }
  })
  for (const bareNames of ['accepted', 'refused']) {
    await inStateless(
      cell,
      alone,
      async (scene) => {
        const one = await scene.client({ capabilities: shown })
        expect(namesOf(await one.request('tools/list'))).not.toContain('tick')
        const answer = await one.request('tools/call', { name: 'tick', arguments: {} })
        expect(answer).toHaveProperty(bareNames === 'accepted' ? 'result' : 'error')
      },
      { naming: { bareNames } },
    )
  }
})

verifies('APP-3', everywhere, async (cell) => {
  const backends = {
    own: answering(appServer(), ofSession),
    shared: answering(appServer()),
    newer: answering({ ...appServer(), stateless: true }, ofSession),
  }
  await inStateless(cell, backends, async ({ client, stateless }) => {
    for (const capabilities of [shown, {}]) {
      const older = await client({ capabilities })
      const newer = await stateless({ capabilities })
      expect(resultOf(await newer.request('server/discover'))).toMatchObject({
        capabilities: { extensions: { [identifier]: {} } },
      })
      for (const one of [older, newer]) {
        for (const backend of Object.keys(backends)) {
          const received = textOf(await one.request('tools/call', { name: `${backend}__received`, arguments: {} }))
          const isDeclared = capabilities === shown || backend === 'shared'
          expect([backend, received.includes(mimeType)]).toEqual([backend, isDeclared])
        }
      }
    }
  })
  await inStateless(cell, { demo: demo() }, async ({ stateless }) => {
    const one = await stateless()
    const { capabilities } = resultOf(await one.request('server/discover'))
    expect(JSON.stringify(capabilities)).not.toContain(identifier)
  })
})

verifies('APP-4', everywhere, async (cell) => {
  const backends = { clock: answering(appServer()), bare: answering(appServer(), { prefix: '' }) }
  await inStateless(cell, backends, async (scene) => {
    for (const open of able) {
      const one = await open(scene)
      const listed = JSON.stringify(await one.request('tools/list'))
      expect(listed).not.toContain('securitySchemes')
      for (const [prefix, base] of [
        ['clock__', 'ui://clock/'],
        ['', 'ui://'],
      ] as const) {
        const result = resultOf(await one.request('tools/call', { name: `${prefix}show`, arguments: {} }))
        expect(JSON.stringify(result)).not.toContain('www_authenticate')
        expect(result['_meta']).toMatchObject({ 'openai/widgetSessionId': 'w' })
        const read = async (uri: string) => {
          const [content] = resultOf(await one.request('resources/read', { uri }))['contents'] as readonly JsonObject[]
          return content as { text: string; _meta: { ui: JsonObject } }
        }
        const view = await read(`${base}clock/view.html`)
        expect(view.text).toBe(html)
        expect(view._meta.ui).toEqual({ prefersBorder: true, csp: { connectDomains: [] } })
        expect((await read(`${base}clock/chat.html`))._meta.ui).toEqual({ domain: 'apps.example' })
      }
    }
  })
})

verifies('APP-5', { ways: ['http'], revisions: ['2025-11-25'] }, async (cell) => {
  const made = `${'0'.repeat(32)}.claudemcpcontent.com`
  const publicUrl = 'https://gw.example.com'
  const view = (domain: string) => ({ text: html, _meta: { ui: { domain } } })
  const server = {
    capabilities: { resources: {} },
    results: {
      'resources/list': { resources: [{ uri: 'ui://made', name: 'made', _meta: { ui: { domain: made } } }] },
      'resources/read': {
        'ui://made': { contents: [{ uri: 'ui://made', ...view(made) }] },
        'ui://other': { contents: [{ uri: 'ui://other', ...view('apps.example') }] },
      },
    },
  }
  const choices = ['drop', 'keep', 'recompute'] as const
  const backends = Object.fromEntries(choices.map((appDomain) => [appDomain, answering(server, { appDomain })]))
  await inStateless(
    cell,
    backends,
    async ({ gateway, client }) => {
      const domainsOf = async (one: Awaited<ReturnType<typeof client>>, base: string) => {
        const read = async (uri: string) => {
          const [content] = resultOf(await one.request('resources/read', { uri }))['contents'] as readonly JsonObject[]
          return (content as { _meta: { ui: JsonObject } })._meta.ui['domain']
        }
        const listed = resultOf(await one.request('resources/list'))['resources'] as readonly JsonObject[]
        const item = listed.find(({ uri }) => uri === `${base}made`) as { _meta: { ui: JsonObject } }
        const domain = await read(`${base}made`)
        expect(item._meta.ui['domain']).toBe(domain)
        return [domain, await read(`${base}other`)]
      }
      const merged = await client()
      expect(await domainsOf(merged, 'ui://drop/')).toEqual([undefined, undefined])
      expect(await domainsOf(merged, 'ui://keep/')).toEqual([made, 'apps.example'])
      expect(await domainsOf(merged, 'ui://recompute/')).toEqual([undefined, 'apps.example'])
      const own = await openClient({ ...gateway, urls: gateway.urls.map((url) => `${url}/-/recompute`) }, cell)
      onTestFinished(() => own.close())
      const hashed = hash('sha256', `${publicUrl}/mcp/-/recompute`, 'hex').slice(0, 32)
      expect(await domainsOf(own, 'ui://')).toEqual([`${hashed}.claudemcpcontent.com`, 'apps.example'])
    },
    { publicUrl },
  )
})
