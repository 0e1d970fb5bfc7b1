import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Backend, Isolation } from '@junctor/contracts'
import { canonicalText, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { backendDefaults, type BackendEntry } from '../../shared/backend-entry.ts'
import { scopeFor } from './scope.ts'

function entryOf(isolation: Isolation, correlates: boolean): BackendEntry {
  const backend = { name: 'one', correlates, followsEra: true } as Backend
  return { ...backendDefaults, backend, prefix: 'one', isolation }
}

const session = 's_1'
const principal = 'local local'
const capabilities = { sampling: {}, roots: { listChanged: true }, experimental: { x: 1 } }
const caller = { tenant: 'acme', principal, session, capabilities, revision: '2025-11-25' } as const

const callers = fc.record({
  tenant: fc.constantFrom('acme', 'other'),
  principal: fc.constantFrom('["i","a"]', '["i","b"]', undefined),
  session: fc.constantFrom('s_1', 's_2', undefined),
  capabilities: fc.constantFrom({}, { elicitation: {} }),
  revision: fc.constantFrom('2025-11-25', '2026-07-28', undefined),
})

function apps(mimeTypes: JsonValue): JsonObject {
  return { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes } } }
}

describe('scopeFor', () => {
  it('gives each session its own link, with its client features declared', () => {
    const scope = scopeFor(entryOf('session', false), caller)
    expect(scope).toEqual({
      tenant: 'acme',
      principal: 'local local',
      session: 's_1',
      capabilities: { sampling: {}, roots: { listChanged: true } },
      era: 'handshake',
      key: 'session s_1',
    })
  })

  it.each([
    [{ sampling: { tools: {}, mine: { nonce: 1 } } }, { sampling: { tools: {} } }],
    [{ elicitation: { form: { nonce: 1 }, url: {} } }, { elicitation: { form: {}, url: {} } }],
    [{ roots: { listChanged: true, nonce: 1 } }, { roots: { listChanged: true } }],
    [{ roots: { listChanged: false } }, { roots: {} }],
    [{ sampling: 'yes' }, {}],
    [{ extensions: { 'io.modelcontextprotocol/tasks': {} } }, {}],
    [{ extensions: 1 }, {}],
  ])(
    'declares of %j no more than the specification has, so that clients cannot make links of their own',
    (all, few) => {
      const declared = scopeFor(entryOf('shared', true), { ...caller, capabilities: all })
      expect(declared.capabilities).toEqual(few)
      expect(declared.key).toBe(scopeFor(entryOf('shared', true), { ...caller, capabilities: few }).key)
    },
  )

  it('declares nothing but views on a shared link whose messages cannot be correlated', () => {
    const views = apps(['text/html;profile=mcp-app'])
    expect(scopeFor(entryOf('shared', false), caller)).toEqual({
      tenant: '',
      principal: undefined,
      session: undefined,
      capabilities: views,
      key: `shared ${canonicalText([views])}`,
    })
  })

  it('shares a link that correlates messages only between clients that declare the same', () => {
    const entry = entryOf('shared', true)
    const one = scopeFor(entry, { ...caller, capabilities: { roots: {}, sampling: { tools: {} } } })
    const same = scopeFor(entry, { ...caller, capabilities: { sampling: { tools: {} }, roots: {} } })
    const other = scopeFor(entry, { ...caller, capabilities: { sampling: {} } })
    expect(same.key).toBe(one.key)
    expect(other.key).not.toBe(one.key)
  })

  it.each<[Isolation, boolean]>([
    ['session', false],
    ['tenant', true],
    ['shared', true],
  ])('keeps the eras apart where it declares client features (%s)', (isolation, correlates) => {
    const entry = entryOf(isolation, correlates)
    const older = scopeFor(entry, { ...caller, session: undefined })
    const newer = scopeFor(entry, { ...caller, session: undefined, revision: '2026-07-28' })
    const oldest = scopeFor(entry, { ...caller, session: undefined, revision: '2024-11-05' })
    expect([older.era, newer.era]).toEqual(['handshake', 'modern'])
    expect(newer.key).not.toBe(older.key)
    expect(oldest).toEqual(older)
  })

  it.each<Isolation>(['session', 'tenant', 'shared'])('knows no eras of a backend without them (%s)', (isolation) => {
    const own = entryOf(isolation, true)
    const entry = { ...own, backend: { ...own.backend, followsEra: false } }
    const older = { ...caller, session: undefined }
    expect(scopeFor(entry, { ...older, revision: '2026-07-28' })).toEqual(scopeFor(entry, older))
  })

  it.each<Isolation>(['tenant', 'shared'])(
    'lets clients of both eras share a link that asks none (%s)',
    (isolation) => {
      const entry = entryOf(isolation, false)
      expect(scopeFor(entry, { ...caller, revision: '2026-07-28' })).toEqual(scopeFor(entry, caller))
    },
  )

  it('keeps tenants apart', () => {
    const entry = entryOf('tenant', false)
    expect(scopeFor(entry, caller).key).not.toBe(scopeFor(entry, { ...caller, tenant: 'other' }).key)
  })

  it('uses the scope of the tenant when a call belongs to no session and no principal', () => {
    const scope = scopeFor(entryOf('session', false), { ...caller, principal: undefined, session: undefined })
    expect(scope).toMatchObject({ principal: undefined, session: undefined, capabilities: {} })
  })

  it('gives the calls of a principal without a session a link that no other caller has', () => {
    const entry = entryOf('session', false)
    const scopes = [
      { ...caller, session: undefined },
      { ...caller, session: undefined, principal: 'local other' },
      { ...caller, session: undefined, tenant: 'other' },
      { ...caller, session: undefined, tenant: 'acme","local', principal: 'local' },
      { ...caller, session: undefined, principal: undefined },
      caller,
    ].map((who) => scopeFor(entry, who))
    expect(new Set(scopes.map(({ key }) => key)).size).toBe(scopes.length)
    expect(scopes[0]).toMatchObject({ tenant: 'acme', principal, session: undefined })
  })
})

describe('a link with credentials of a person', () => {
  it.each<Isolation>(['session', 'tenant', 'shared'])('is never shared by two principals (%s)', (isolation) => {
    const own = entryOf(isolation, true)
    const entry = { ...own, backend: { ...own.backend, isPersonal: true } }
    fc.assert(
      fc.property(callers, callers, (one, two) => {
        // A session belongs to one principal at one tenant.
        const isSameSession = one.session !== undefined && one.session === two.session
        const isSamePerson = one.tenant === two.tenant && one.principal === two.principal
        fc.pre(!isSameSession || isSamePerson)
        const [first, second] = [scopeFor(entry, one), scopeFor(entry, two)]
        expect(first.key === second.key && !isSamePerson).toBe(false)
        expect([first.principal, first.tenant]).toEqual([one.principal, one.tenant])
      }),
    )
  })
})
