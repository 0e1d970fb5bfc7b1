import { silentLog } from '@junctor/contracts'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { createBackend } from './create-backend.ts'
import { createResource, type Resource } from './create-resource.ts'
import { openBackend, type TestClient } from './testing/index.ts'

async function open(...resources: readonly Resource[]): Promise<TestClient> {
  return openBackend(createBackend({ name: 'resources', resources }))
}

const text = createResource({ uri: 'test://text', name: 'text', mimeType: 'text/plain', read: () => 'hello' })
const greeting = createResource({
  uriTemplate: 'test://greeting/{name}/{time}',
  name: 'greeting',
  description: 'A greeting',
  complete: { time: (value) => ['morning', 'evening'].filter((time) => time.startsWith(value)) },
  read(uri, variables) {
    expectTypeOf(variables).toEqualTypeOf<Readonly<Record<'name' | 'time', string>>>()
    return `${uri}: good ${variables.time}, ${variables.name}`
  },
})

describe('listing', () => {
  it('a resource with one URI is listed as a resource, a template as a template, without their functions', async () => {
    const client = await open(text, greeting)
    expect(await client.listResources()).toEqual([{ uri: 'test://text', name: 'text', mimeType: 'text/plain' }])
    expect(await client.listResourceTemplates()).toEqual([
      { uriTemplate: 'test://greeting/{name}/{time}', name: 'greeting', description: 'A greeting' },
    ])
  })

  it('a template that cannot be matched is refused when the resource is created', () => {
    expect(() => createResource({ uriTemplate: 'x://{+a}', name: 'x', read: () => '' })).toThrow(
      'URI template "x://{+a}"',
    )
  })

  it('a template that is not a literal type gives variables of any name', () => {
    const uriTemplate: string = ['x://', '{a}'].join('')
    const resource = createResource({ uriTemplate, name: 'x', read: (_uri, variables) => variables['a'] })
    expect(resource.template?.variables).toEqual(['a'])
  })

  it('completes only variables that the template has', () => {
    // @ts-expect-error -- the template has no variable of that name
    createResource({ uriTemplate: 'x://{a}', name: 'x', complete: { b: () => [] }, read: () => '' })
    expect.assertions(0)
  })
})

describe('reading', () => {
  it('gives text as text, with the type that is listed', async () => {
    const client = await open(text)
    expect(await client.readResource('test://text')).toEqual([
      { uri: 'test://text', mimeType: 'text/plain', text: 'hello' },
    ])
  })

  it('gives bytes as a blob', async () => {
    const client = await open(createResource({ uri: 'x://b', name: 'b', read: async () => new Uint8Array([0, 255]) }))
    expect(await client.readResource('x://b')).toEqual([{ uri: 'x://b', blob: 'AP8=' }])
  })

  it('returns several parts unchanged', async () => {
    const parts = [
      { uri: 'x://c/1', text: 'one' },
      { uri: 'x://c/2', blob: 'AP8=', _meta: { a: 1 } },
    ]
    const client = await open(createResource({ uri: 'x://c', name: 'c', read: () => parts }))
    expect(await client.readResource('x://c')).toEqual(parts)
  })

  it('finds the variables of a template in the URI', async () => {
    const client = await open(greeting)
    expect(await client.readResource('test://greeting/Ada%20L/evening')).toEqual([
      { uri: 'test://greeting/Ada%20L/evening', text: 'test://greeting/Ada%20L/evening: good evening, Ada L' },
    ])
  })

  it('prefers the resource with exactly that URI, then the first template that matches', async () => {
    const client = await open(
      createResource({ uriTemplate: 'x://{a}', name: 'first', read: () => 'first' }),
      createResource({ uriTemplate: 'x://{b}', name: 'second', read: () => 'second' }),
      createResource({ uri: 'x://fixed', name: 'fixed', read: () => 'fixed' }),
    )
    expect(await client.readResource('x://fixed')).toMatchObject([{ text: 'fixed' }])
    expect(await client.readResource('x://other')).toMatchObject([{ text: 'first' }])
  })

  it.each([
    ['2025-11-25', -32002],
    ['2026-07-28', -32602],
  ] as const)('of a missing resource is an error with the code of the revision: %s', async (revision, code) => {
    const gone = createResource({ uriTemplate: 'x://{id}', name: 'x', read: async () => undefined })
    const client = await openBackend(createBackend({ name: 'b', resources: [gone] }), { context: { revision } })
    await expect(client.readResource('x://1')).rejects.toMatchObject({ code, data: { uri: 'x://1' } })
    await expect(client.readResource('y://1')).rejects.toMatchObject({ code, data: { uri: 'y://1' } })
  })

  it('is an internal error with the message of its author when the handler throws', async () => {
    const broken = createResource({
      uri: 'x://d',
      name: 'd',
      read: () => {
        throw new Error('The disk is away')
      },
    })
    const client = await open(broken)
    await expect(client.readResource('x://d')).rejects.toMatchObject({ code: -32603, message: 'The disk is away' })
  })
})

describe('subscribing', () => {
  function watched(): { resource: Resource; change: () => void; watchers: () => number } {
    const listeners = new Set<() => void>()
    return {
      change: () => listeners.forEach((listener) => listener()),
      watchers: () => listeners.size,
      resource: createResource({
        uriTemplate: 'x://{id}',
        name: 'x',
        read: () => '',
        subscribe(_uri, updated) {
          listeners.add(updated)
          return () => listeners.delete(updated)
        },
      }),
    }
  }

  it('a subscriber is notified of changes until it unsubscribes', async () => {
    const { resource, change, watchers } = watched()
    const client = await open(resource)
    await client.subscribe('x://1')
    change()
    expect(client.notifications).toEqual([{ method: 'notifications/resources/updated', params: { uri: 'x://1' } }])
    await client.unsubscribe('x://1')
    expect(watchers()).toBe(0)
    change()
    expect(client.notifications).toHaveLength(1)
  })

  it('a second subscription of the same URI changes nothing', async () => {
    const { resource, change, watchers } = watched()
    const client = await open(resource)
    await client.subscribe('x://1')
    await client.subscribe('x://1')
    expect(watchers()).toBe(1)
    change()
    expect(client.notifications).toHaveLength(1)
  })

  it('closing ends every subscription', async () => {
    const { resource, watchers } = watched()
    const client = await open(resource)
    await client.subscribe('x://1')
    await client.subscribe('x://2')
    await client.close()
    expect(watchers()).toBe(0)
  })

  it('a subscription that fails when it is ended hinders no other, and is not kept', async () => {
    const ended: string[] = []
    const failing = createResource({
      uriTemplate: 'x://{id}',
      name: 'x',
      read: () => '',
      subscribe: (uri) => () => {
        ended.push(uri)
        throw new Error('no such watcher')
      },
    })
    const logged: unknown[] = []
    const log = { ...silentLog, error: (message: string) => void logged.push(message) }
    const client = await openBackend(createBackend({ name: 'b', resources: [failing], log }))
    for (const id of [1, 2, 3]) {
      // oxlint-disable-next-line no-await-in-loop
      await client.subscribe(`x://${id}`)
    }
    await expect(client.unsubscribe('x://1')).rejects.toThrow('no such watcher')
    await expect(client.unsubscribe('x://1')).resolves.toBeUndefined()
    await client.close()
    expect(ended).toEqual(['x://1', 'x://2', 'x://3'])
    expect(logged).toContain('a subscription failed when it was ended')
  })

  it('a missing resource cannot be subscribed to; unsubscribing without a subscription succeeds', async () => {
    const client = await open(text)
    await expect(client.subscribe('x://none')).rejects.toMatchObject({ code: -32002 })
    await expect(client.unsubscribe('x://none')).resolves.toBeUndefined()
  })

  it('the subscribe function of the author receives the scope', async () => {
    const scopes: string[] = []
    const resource = createResource({
      uri: 'x://e',
      name: 'e',
      read: () => '',
      subscribe(_uri, _updated, scope) {
        scopes.push(scope.tenant)
        return () => undefined
      },
    })
    const client = await openBackend(createBackend({ name: 'b', resources: [resource] }), {
      context: { tenant: 'acme' },
    })
    await client.subscribe('x://e')
    expect(scopes).toEqual(['acme'])
  })
})

describe('completing variables', () => {
  it('uses the template as it is listed', async () => {
    const client = await open(greeting)
    const ref = { type: 'ref/resource', uri: 'test://greeting/{name}/{time}' } as const
    expect(await client.complete(ref, { name: 'time', value: 'm' })).toEqual(['morning'])
    expect(await client.complete(ref, { name: 'name', value: '' })).toEqual([])
    expect(await client.complete(ref, { name: 'toString', value: '' })).toEqual([])
  })

  it('of an unknown template is an error', async () => {
    const client = await open(greeting)
    const ref = { type: 'ref/resource', uri: 'x://none/{a}' } as const
    await expect(client.complete(ref, { name: 'a', value: '' })).rejects.toMatchObject({ code: -32602 })
  })
})
