import { describe, expect, it } from 'vitest'
import type { Backend, ListKind } from '@junctor/contracts'
import { type JsonObject, payloadOf } from '@junctor/jsonrpc'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import { backendDefaults } from '../../shared/backend-entry.ts'
import { createListPages } from './list-pages.ts'
import type { Snapshot } from './snapshot.ts'
import { mergeView, type ViewPart } from './tenant-view.ts'

const tenant = tenantOf([])

function part(name: string, prefix: string, offers: Partial<Record<ListKind, readonly JsonObject[]>>): ViewPart {
  const list = (kind: ListKind) => (offers[kind] ?? []).map((item) => payloadOf(item))
  const server = { revision: '2025-11-25', capabilities: {}, info: {}, instructions: undefined } as const
  const snapshot: Snapshot = {
    server,
    findings: [],
    unapproved: [],
    hints: {},
    failures: {},
    problems: [],
    lists: {
      tools: list('tools'),
      resources: list('resources'),
      resourceTemplates: list('resourceTemplates'),
      prompts: list('prompts'),
    },
  }
  return { entry: { ...backendDefaults, backend: { name } as Backend, prefix }, snapshot }
}

const names = (items: readonly { value(): unknown }[]) => items.map((item) => (item.value() as { name: string }).name)

describe('mergeView', () => {
  it('shows names and URIs under their prefix, and maps them back to the names of the backend', () => {
    const view = mergeView(tenant, [
      part('one', 'one', {
        tools: [{ name: 'echo', 'x-extra': 1 }],
        resources: [{ uri: 'file:///a', name: 'a' }],
        resourceTemplates: [{ uriTemplate: 'file:///{path}', name: 'any' }],
        prompts: [{ name: 'hello' }],
      }),
      part('two', '', { tools: [{ name: 'echo' }] }),
    ])
    expect(view.lists.tools.map((item) => item.value())).toEqual([
      { name: 'one__echo', 'x-extra': 1 },
      { name: 'echo' },
    ])
    expect(view.lists.resources[0]?.value()).toEqual({ uri: 'one+file:///a', name: 'a' })
    expect(view.lists.resourceTemplates[0]?.value()).toEqual({ uriTemplate: 'one+file:///{path}', name: 'any' })
    expect(view.routes.tools.get('one__echo')?.name).toBe('echo')
    expect(view.routes.tools.get('echo')?.entry.backend.name).toBe('two')
    expect(view.routes.resources.get('one+file:///a')?.name).toBe('file:///a')
    expect(view.routes.prompts.get('one__hello')?.name).toBe('hello')
    expect(view.collisions).toEqual([])
  })

  it('shows resources without an origin that is made from the URL of their server', () => {
    const ui = { domain: 'a9.claudemcpcontent.com', prefersBorder: true }
    const own = { domain: 'apps.example' }
    const view = mergeView(tenant, [
      part('one', 'one', {
        resources: [
          { uri: 'ui://clock', name: 'clock', _meta: { ui } },
          { uri: 'ui://own', name: 'own', _meta: { ui: own } },
        ],
        resourceTemplates: [{ uriTemplate: 'ui://{any}', name: 'any', _meta: { ui } }],
      }),
    ])
    const metas = [...view.lists.resources, ...view.lists.resourceTemplates].map(
      (item) => (item.value() as JsonObject)['_meta'],
    )
    expect(metas).toEqual([{ ui: { prefersBorder: true } }, { ui: own }, { ui: { prefersBorder: true } }])
    // What the backend has sent is kept for other uses.
    expect(ui).toHaveProperty('domain')
  })

  it('refuses both sides of a collision, in any order', () => {
    const one = part('one', 'a', { tools: [{ name: '_b__x' }, { name: 'fine' }] })
    const two = part('two', 'a___b', { tools: [{ name: 'x' }] })
    for (const parts of [
      [one, two],
      [two, one],
    ]) {
      const view = mergeView(tenant, parts)
      expect(names(view.lists.tools)).toEqual(['a__fine'])
      expect(view.routes.tools.has('a___b__x')).toBe(false)
      expect(view.collisions).toEqual([
        { kind: 'tools', name: 'a___b__x', backends: parts.map(({ entry }) => entry.backend.name) },
      ])
    }
  })

  it('leaves out items that the tenant may not use, and items without a name', () => {
    const policy = { ...tenant, tools: { allow: undefined, deny: ['one:delete_*'] } }
    const view = mergeView(policy, [part('one', 'one', { tools: [{ name: 'delete_all' }, {}, { name: 'list' }] })])
    expect(names(view.lists.tools)).toEqual(['one__list'])
    expect(view.routes.tools.has('one__delete_all')).toBe(false)
  })
})

describe('createListPages', () => {
  const tools = Array.from({ length: 5 }, (_, index) => ({ name: `t${index}`, title: 'T' }))
  const view = mergeView(tenant, [part('one', '', { tools })])
  const pages = createListPages(view, 2)

  it('walks the whole list, page by page', () => {
    const seen: string[] = []
    let cursor: string | undefined
    for (let page = 0; page < 3; page += 1) {
      const got = pages.page('tools', '2025-11-25', cursor)
      expect(got.kind).toBe('page')
      const result = (got as { result: { value(): unknown } }).result.value() as {
        tools: { name: string }[]
        nextCursor?: string
      }
      seen.push(...result.tools.map((tool) => tool.name))
      cursor = result.nextCursor
    }
    expect(cursor).toBeUndefined()
    expect(seen).toEqual(tools.map((tool) => tool.name))
  })

  it('serialises a page once', () => {
    expect(pages.page('tools', '2025-11-25', undefined)).toEqual(pages.page('tools', '2025-11-25', undefined))
    const [one, two] = [1, 2].map(() => pages.page('tools', '2025-11-25', undefined) as { result: unknown })
    expect(one?.result).toBe(two?.result)
  })

  it('makes only the page that is asked for: a client that reads the first of many must not stop all others', () => {
    const untouched = {
      get text(): string | undefined {
        throw new Error('Expected no item of another page to be read')
      },
      value() {
        throw new Error('Expected no item of another page to be read')
      },
    }
    const long = { ...view, lists: { ...view.lists, tools: [...view.lists.tools.slice(0, 2), untouched] } }
    expect(createListPages(long, 2).page('tools', '2025-11-25', undefined)).toMatchObject({ kind: 'page' })
  })

  it('removes members that a revision does not have', () => {
    const { result } = pages.page('tools', '2024-11-05', undefined) as { result: { value(): unknown } }
    expect(result.value()).toMatchObject({ tools: [{ name: 't0' }, { name: 't1' }] })
    expect(JSON.stringify(result.value())).not.toContain('title')
  })

  it('gives an empty list one empty page', () => {
    expect(pages.page('prompts', '2025-11-25', undefined)).toMatchObject({ kind: 'page' })
  })

  it.each(['', 'x', 'MS5vdGhlcg', Buffer.from('9.x').toString('base64url')])('refuses the cursor %j', (cursor) => {
    expect(pages.page('tools', '2025-11-25', cursor)).toEqual({ kind: 'bad_cursor' })
  })

  it('refuses a cursor of a list that has changed since', () => {
    const { result } = pages.page('tools', '2025-11-25', undefined) as { result: { value(): unknown } }
    const { nextCursor } = result.value() as { nextCursor: string }
    const other = createListPages(mergeView(tenant, [part('one', '', { tools: tools.slice(1) })]), 2)
    expect(other.page('tools', '2025-11-25', nextCursor)).toEqual({ kind: 'bad_cursor' })
  })

  it('takes a cursor while lists of other kinds change', () => {
    const { result } = pages.page('tools', '2025-11-25', undefined) as { result: { value(): unknown } }
    const { nextCursor } = result.value() as { nextCursor: string }
    const more = { tools, resources: [{ uri: 'file:///new', name: 'new' }], prompts: [{ name: 'new' }] }
    const other = createListPages(mergeView(tenant, [part('one', '', more)]), 2)
    expect(other.page('tools', '2025-11-25', nextCursor)).toMatchObject({ kind: 'page' })
  })
})
