import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { testServer } from '../../../test/support/test-backend.ts'
import { mcpExtensions } from '@junctor/protocol'
import { capabilityUnion, mergeInstructions } from './server-union.ts'
import type { KnownServer } from './known-server.ts'

const offersNothing = { builtIn: false, passed: [], hasViews: false }

function known(prefix: string, capabilities: JsonObject, instructions?: string): KnownServer {
  return { name: prefix || 'bare', prefix, server: { ...testServer, capabilities, instructions }, ...offersNothing }
}

const unreached: KnownServer = { name: 'one', prefix: 'one', server: undefined, ...offersNothing }

describe('capabilityUnion', () => {
  it('shows capabilities of at least one backend, and always that lists change', () => {
    expect(capabilityUnion([known('a', { tools: {} }), known('b', { resources: {}, completions: {} })])).toEqual({
      tools: { listChanged: true },
      resources: { subscribe: false, listChanged: true },
      completions: {},
      extensions: { [mcpExtensions.tasks]: {} },
    })
  })

  it('shows subscriptions when one backend has them', () => {
    const servers = [known('a', { resources: {} }), known('b', { resources: { subscribe: true } })]
    expect(capabilityUnion(servers)).toMatchObject({ resources: { subscribe: true, listChanged: true } })
  })

  it('counts a backend that was never reached as offering everything', () => {
    expect(Object.keys(capabilityUnion([unreached]))).toEqual([
      'tools',
      'resources',
      'prompts',
      'logging',
      'completions',
      'extensions',
    ])
  })

  it('keeps unknown capabilities of a single backend', () => {
    const declared = {
      tools: {},
      experimental: { a: { b: 1 } },
      'x-acme': { on: true },
      tasks: {},
      extensions: { 'a/b': {}, 'a/c': 1 },
    }
    const tools = { listChanged: true }
    const extensions = { [mcpExtensions.tasks]: {} }
    expect(capabilityUnion([known('a', declared)])).toEqual({
      tools,
      experimental: { a: { b: 1 } },
      'x-acme': { on: true },
      extensions,
    })
    expect(capabilityUnion([known('a', declared), known('b', declared)])).toEqual({ tools, extensions })
  })

  it('shows the extensions that the gateway routes, and all of a backend that is seen alone', () => {
    const { apps, skills, tasks } = mcpExtensions
    const one = known('a', { extensions: { [skills]: { directoryRead: false }, 'a/b': { c: 1 }, 'a/d': null } })
    const two = { ...known('b', { tools: {} }), hasViews: true }
    expect(capabilityUnion([one, two])['extensions']).toEqual({
      [skills]: { directoryRead: true },
      [apps]: {},
      [tasks]: {},
    })
    expect(capabilityUnion([{ ...one, passed: 'all' }])['extensions']).toEqual({
      [skills]: { directoryRead: false },
      'a/b': { c: 1 },
      [tasks]: {},
    })
  })

  it('is empty without backends', () => {
    expect(capabilityUnion([])).toEqual({})
  })
})

describe('mergeInstructions', () => {
  it('puts each backend under its own heading, in order', () => {
    const servers = [
      known('a', {}, ' First. '),
      known('', {}, 'Bare.'),
      known('b', {}),
      known('c', {}, '  '),
      unreached,
    ]
    expect(mergeInstructions(servers, 100)).toBe('## a\n\nFirst.\n\nBare.')
  })

  it('keeps the instructions of a single backend unchanged', () => {
    const text = '  # Mine\r\n\n- a\n\n'
    const own = { ...known('gateway', {}, ''), builtIn: true }
    expect(mergeInstructions([known('a', {}, text)], 100)).toBe(text)
    expect(mergeInstructions([own, known('a', {}, text)], 100)).toBe(text)
    expect(mergeInstructions([known('a', {}, text)], 5)).toBe('(Instructions too long to show: a)')
    expect(mergeInstructions([known('a', {}, text), unreached], 100)).toBe('## a\n\n# Mine\r\n\n- a')
  })

  it('leaves out whole instructions that do not fit, and names their backend', () => {
    const servers = [known('a', {}, 'x'.repeat(100)), known('b', {}, 'Short.')]
    expect(mergeInstructions(servers, 50)).toBe('## b\n\nShort.\n\n(Instructions too long to show: a)')
  })

  it('is absent when no backend has any', () => {
    expect(mergeInstructions([known('a', {}), unreached], 100)).toBeUndefined()
  })
})
