import { describe, expect, it } from 'vitest'
import { type JsonObject, payloadOf } from '@junctor/jsonrpc'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import { resourceRoute } from '../../router/resource-route.ts'
import { BareNames } from './bare-names.ts'
import { mergeView, type ViewPart } from './tenant-view.ts'

const tool = (name: string, ui?: JsonObject): JsonObject => ({
  name,
  inputSchema: { type: 'object' },
  ...(ui !== undefined && { _meta: { ui } }),
})

function part(name: string, tools: readonly JsonObject[], uris: readonly string[] = [], prefix = name): ViewPart {
  const { entry } = createTestBackend({ prefix }, { name })
  const server = { revision: '2025-11-25', capabilities: {}, info: {}, instructions: undefined } as const
  const lists = {
    tools: tools.map((item) => payloadOf(item)),
    resources: uris.map((uri) => payloadOf({ uri, name: uri })),
    resourceTemplates: [],
    prompts: [],
  }
  return {
    entry,
    snapshot: { server, failures: {}, hints: {}, problems: [], findings: [], unapproved: [], lists },
  }
}

function bareIn(...parts: readonly ViewPart[]) {
  const tenant = tenantOf(parts.map(({ entry }) => entry))
  const view = mergeView(tenant, parts)
  const bare = new BareNames(view, tenant)
  const owner = (uri: string) => {
    const found = resourceRoute({ view, bare }, tenant, uri)
    return found.kind === 'one' ? `${found.route.entry.backend.name} ${found.route.name}` : found
  }
  return { bare, owner }
}

const shown = { resourceUri: 'ui://app/view' }

describe('tools under their own names', () => {
  it('are those of a backend with views, unless they are for models only', () => {
    const { bare } = bareIn(part('app', [tool('show', shown), tool('plain'), tool('model', { visibility: ['model'] })]))
    expect(['show', 'plain', 'model', 'app__show'].map((name) => bare.tool(name).kind)).toEqual([
      'one',
      'one',
      'none',
      'none',
    ])
  })

  it('are not those of a backend without views, unless they say so', () => {
    const { bare } = bareIn(part('app', [tool('plain'), tool('app', { visibility: ['app'] })]))
    expect([bare.tool('plain').kind, bare.tool('app').kind]).toEqual(['none', 'one'])
  })

  it('are not listed where the name means something else', () => {
    const parts = [part('one', [tool('show', shown), tool('tick')]), part('two', [tool('show')], [], '')]
    const { bare } = bareIn(...parts)
    expect(bare.callableTools().map(({ shown: name }) => name)).toEqual(['one__tick'])
  })

  it('are none for a tenant that refuses them', () => {
    const { entry, snapshot } = part('app', [tool('show', shown)])
    const tenant = { ...tenantOf([entry]), bareNames: 'refused' as const }
    const bare = new BareNames(mergeView(tenant, [{ entry, snapshot }]), tenant)
    expect([bare.tool('show').kind, bare.resource('ui://app/view').kind]).toEqual(['none', 'one'])
  })
})

describe('URIs of a backend', () => {
  it('that begin with its own name are found with the prefix and without it', () => {
    const { owner } = bareIn(part('app', [tool('show', shown)], ['ui://app/listed']))
    expect(owner('ui://app/view')).toBe('app ui://app/view')
    expect(owner('ui://app/listed')).toBe('app ui://app/listed')
    expect(owner('ui://app/app/view')).toBe('app ui://app/view')
    expect(owner('ui://app/unlisted')).toBe('app ui://unlisted')
  })

  it('cannot take over those with the prefix of another', () => {
    const { owner } = bareIn(
      part('evil', [tool('show', { resourceUri: 'ui://app/secret' })], ['ui://app/more']),
      part('app', []),
    )
    expect(owner('ui://app/secret')).toBe('app ui://secret')
    expect(owner('ui://app/more')).toBe('app ui://more')
  })

  it('are not guessed when two backends have them', () => {
    const { owner } = bareIn(part('one', [tool('show', shown)]), part('two', [], ['ui://app/view']))
    expect(owner('ui://app/view')).toEqual({ kind: 'several', candidates: ['ui://one/app/view', 'ui://two/app/view'] })
  })
})
