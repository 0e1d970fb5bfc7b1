import { expect, it } from 'vitest'
import type { Backend } from '@junctor/contracts'
import { payloadOf } from '@junctor/jsonrpc'
import { createRequest, recordExchange } from '@junctor/testkit'
import { createHome, createTestPool } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import type { NamePolicy } from '../../shared/tenant-entry.ts'
import { Call } from './call.ts'
import { mapOutcome } from './map-outcome.ts'

/** The scope for caches of something that the backend calls public. */
function scopeOf(method: string, resources: NamePolicy, about: Partial<Backend> = {}): unknown {
  const { entry } = createTestBackend({}, about)
  const { session } = createHome('a', { ...tenantOf([entry]), resources }, createTestPool(createManualClock()))
  const request = createRequest(method, { uri: 'note:///a' })
  const { exchange } = recordExchange({ request, init: { context: { ...session.context, revision: '2026-07-28' } } })
  const result = payloadOf({ contents: [{ uri: 'note:///a', text: 'A' }], ttlMs: 5, cacheScope: 'public' })
  const outcome = mapOutcome(new Call(session, request, exchange), entry, { kind: 'complete', result }, '2026-07-28')
  return outcome.kind === 'complete' ? (outcome.result.value() as { cacheScope?: unknown }).cacheScope : outcome
}

const everything: NamePolicy = { allow: undefined, deny: [] }

it.each(['resources/read', 'skills/get', 'resources/directory/read'])(
  '%s is public only if every caller may read it, and no account of a person was used',
  (method) => {
    expect(scopeOf(method, everything)).toBe('public')
    expect(scopeOf(method, { allow: ['one:note:*'], deny: [] })).toBe('private')
    expect(scopeOf(method, { allow: undefined, deny: ['one:other'] })).toBe('private')
    expect(scopeOf(method, everything, { isPersonal: true })).toBe('private')
  },
)

it('passes a question with any key', () => {
  const { entry } = createTestBackend({})
  const { session } = createHome('a', tenantOf([entry]), createTestPool(createManualClock()))
  const client = { info: {}, capabilities: { roots: {} } }
  const { exchange } = recordExchange({ init: { context: { ...session.context, revision: '2026-07-28', client } } })
  const question = { method: 'roots/list', params: undefined }
  const requests = Object.fromEntries(['a', '__proto__', 'constructor', ''].map((key) => [key, question]))
  const call = new Call(session, exchange.request, exchange)
  const outcome = mapOutcome(call, entry, { kind: 'input_required', requests }, '2026-07-28')
  expect(outcome.kind === 'input_required' && Object.entries(outcome.requests)).toEqual(Object.entries(requests))
})
