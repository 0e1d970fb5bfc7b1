import type { JsonObject } from '@junctor/jsonrpc'
import { expect, onTestFinished } from 'vitest'
import { answering, demo } from '../src/in-gateway.ts'
import { inStateless } from '../src/in-stateless.ts'
import { errorOf, resultOf } from '../src/result-of.ts'
import { openStatelessClient, type StatelessClient } from '../src/stateless-client.ts'
import { verifies } from '../src/verifies.ts'
import { openClient, type WireClient } from '../src/wire-client.ts'

const read = (uri: string) => ({ contents: [{ uri, text: 'read' }] })
const skillOf = (path: string): JsonObject => ({
  uri: `skill://${path}/SKILL.md`,
  frontmatter: { name: path, description: 'Does it' },
  resources: ['SKILL.md', 'a.md', 'key.env'].map((name) => ({ uri: `skill://${path}/${name}`, size: 1 })),
})

const uris = {
  open: ['file:///docs/a', 'file:///docs/unlisted', 'skill://pdf/SKILL.md', 'skill://pdf/a.md'],
  hidden: [
    'file:///secret/b',
    'file:///secret/unlisted',
    'file:///docs/../secret/b',
    'file:///docs/%2e%2e/secret/b',
    'file:///%73ecret/b',
    'skill://pdf/key.env',
    'skill://inner/SKILL.md',
    'skill://inner/a.md',
  ],
}

/** It reads whatever it is asked for, so that only the gateway can refuse. */
const server = {
  capabilities: {
    prompts: {},
    resources: { subscribe: true },
    completions: {},
    extensions: { 'io.modelcontextprotocol/skills': {} },
  },
  results: {
    'prompts/list': { prompts: [{ name: 'open' }, { name: 'draft_x' }] },
    'prompts/get': { open: { messages: [] }, draft_x: { messages: [] } },
    'resources/list': { resources: ['file:///docs/a', 'file:///secret/b'].map((uri) => ({ uri, name: uri })) },
    'resources/templates/list': {
      resourceTemplates: ['file:///docs/{x}', 'file:///secret/{x}'].map((uri) => ({ uriTemplate: uri, name: uri })),
    },
    'resources/read': Object.fromEntries([...uris.open, ...uris.hidden].map((uri) => [uri, read(uri)])),
    'resources/subscribe': { subscribed: true },
    'completion/complete': { completion: { values: ['value'] } },
    'skills/list': { skills: [skillOf('pdf'), skillOf('inner')] },
    'skills/get': Object.fromEntries(
      ['pdf', 'inner'].map((path) => [`skill://${path}/SKILL.md`, { skill: skillOf(path) }]),
    ),
  },
}

const policies = {
  prompts: { deny: ['files:draft_*'] },
  resources: {
    allow: ['files:file:///docs/*', 'files:skill://*', 'demo:*'],
    deny: ['files:*.env', 'files:skill://inner/*'],
  },
}

/** Everything that a client sees, as one text. */
async function everything(client: WireClient | StatelessClient): Promise<string> {
  const lists = ['prompts/list', 'resources/list', 'resources/templates/list', 'skills/list']
  const shown = await Promise.all(lists.map(async (method) => resultOf(await client.request(method))))
  // The list of a skill's files is the backend's own, and signed; the files themselves cannot be read.
  return JSON.stringify(shown).replaceAll('key.env', '')
}

verifies('ACCESS-14', { ways: ['http', 'websocket'], revisions: ['2025-11-25'] }, async (cell) => {
  const config = {
    tenants: {
      default: { backends: ['files', 'demo'], ...policies },
      free: { backends: ['files'] },
    },
  }
  await inStateless(
    cell,
    { files: answering(server), demo: demo() },
    async ({ gateway }) => {
      for (const [path, prefix] of [
        ['', 'files'],
        ['/-/files', ''],
      ] as const) {
        const at = { ...gateway, urls: gateway.urls.map((url) => `${url}${path}`) }
        const clients = [await openClient(at, cell), await openStatelessClient(at, cell)]
        onTestFinished(async () => void (await Promise.all(clients.map((one) => one.close()))))
        const uriOf = (uri: string): string => {
          if (prefix === '') return uri
          return uri.startsWith('skill:') ? uri.replace('skill://', 'skill://files/') : `files+${uri}`
        }
        const promptOf = (name: string): string => (prefix === '' ? name : `files__${name}`)
        for (const one of clients) {
          const shown = await everything(one)
          for (const hidden of ['draft_x', 'secret', 'inner']) expect(shown).not.toContain(hidden)
          for (const open of ['open', 'docs/a', 'docs/{x}', 'pdf/SKILL.md']) expect(shown).toContain(open)
          expect(resultOf(await one.request('prompts/get', { name: promptOf('open') }))).toHaveProperty('messages')
          expect(errorOf(await one.request('prompts/get', { name: promptOf('draft_x') })).code).toBe(-32_602)
          for (const uri of uris.open) {
            expect(resultOf(await one.request('resources/read', { uri: uriOf(uri) }))).toHaveProperty('contents')
          }
          for (const uri of uris.hidden) {
            for (const asked of new Set([uriOf(uri), uri])) {
              const answer = await one.request('resources/read', { uri: asked })
              expect([asked, answer['result']]).toEqual([asked, undefined])
            }
          }
          for (const [name, values] of [
            ['open', ['value']],
            ['draft_x', undefined],
          ] as const) {
            const ref = { type: 'ref/prompt', name: promptOf(name) }
            const argument = { name: 'a', value: '' }
            const answer = await one.request('completion/complete', { ref, argument })
            expect((answer['result'] as { completion?: { values: string[] } } | undefined)?.completion?.values).toEqual(
              values,
            )
          }
          const ref = { type: 'ref/resource', uri: uriOf('file:///secret/{x}') }
          expect(await one.request('completion/complete', { ref, argument: { name: 'x', value: '' } })).toHaveProperty(
            'error',
          )
          expect(await one.request('skills/get', { uri: uriOf('skill://pdf/SKILL.md') })).toHaveProperty('result')
          expect(await one.request('skills/get', { uri: uriOf('skill://inner/SKILL.md') })).toHaveProperty('error')
          const directory = await one.request('resources/directory/read', { uri: uriOf('skill://pdf') })
          expect(JSON.stringify(directory)).toContain('a.md')
          expect(JSON.stringify(directory)).not.toContain('key.env')
          expect(await one.request('resources/directory/read', { uri: uriOf('skill://inner') })).toHaveProperty('error')
        }
        const [older, newer] = clients as [WireClient, StatelessClient]
        expect(await older.request('resources/subscribe', { uri: uriOf('file:///secret/b') })).toHaveProperty('error')
        const wanted = [uriOf('file:///docs/a'), uriOf('file:///secret/b')]
        const notifications = { resourceSubscriptions: wanted }
        await newer.send('subscriptions/listen', newer.declared({ notifications }), 'listening')
        const { message } = await newer.wire.until(
          ({ message: got }) => got['method'] === 'notifications/subscriptions/acknowledged',
        )
        expect(message['params']).toMatchObject({ notifications: { resourceSubscriptions: wanted.slice(0, 1) } })
      }
      const free = await openClient({ ...gateway, urls: gateway.urls.map((url) => `${url}/free`) }, cell)
      onTestFinished(() => free.close())
      const shown = await everything(free)
      for (const open of ['draft_x', 'secret', 'inner']) expect(shown).toContain(open)
    },
    config,
  )
})
