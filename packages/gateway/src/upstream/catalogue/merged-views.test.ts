import { describe, expect, it } from 'vitest'
import { silentLog } from '@junctor/contracts'
import { payloadOf } from '@junctor/jsonrpc'
import { createTestBackend, testServer } from '../../../test/support/test-backend.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import { MergedViews } from './merged-views.ts'
import type { Snapshot } from './snapshot.ts'

function offering(...names: string[]): Snapshot {
  return {
    server: testServer,
    lists: { tools: names.map((name) => payloadOf({ name })), resources: [], resourceTemplates: [], prompts: [] },
    failures: {},
    hints: {},
    problems: [],
    findings: [],
    unapproved: [],
  }
}

describe('MergedViews', () => {
  const one = createTestBackend({ prefix: 'same' }, { name: 'one' }).entry
  const two = createTestBackend({ prefix: 'same' }, { name: 'two' }).entry
  const tenant = tenantOf([one, two])

  it('logs a name of two backends once, however often their lists change', () => {
    const logged: unknown[] = []
    const merged = new MergedViews(100, { ...silentLog, warn: (_message, fields) => void logged.push(fields) })
    for (let change = 1; change <= 9; change += 1) {
      const names = change < 5 ? ['a'] : ['a', 'b']
      merged.of(
        tenant,
        [one, two].map((entry) => ({ entry, snapshot: offering(...names) })),
      )
      merged.of(tenant, [{ entry: one, snapshot: offering('a') }])
    }
    const backends = ['one', 'two']
    expect(logged).toEqual([
      { kind: 'tools', name: 'same__a', backends },
      { kind: 'tools', name: 'same__b', backends },
    ])
  })

  it('merges the same lists once, whatever else was merged meanwhile', () => {
    const merged = new MergedViews(100, silentLog)
    const parts = [
      { entry: one, snapshot: offering('a') },
      { entry: two, snapshot: offering('b') },
    ]
    const first = merged.of(tenant, parts)
    const others = Array.from({ length: 40 }, () => merged.of(tenant, [{ entry: one, snapshot: offering('a') }]))
    expect(new Set([first, ...others]).size).toBe(41)
    expect(merged.of(tenant, [...parts])).toBe(first)
  })

  it('reads only the lists that have changed: one of many backends must not cost as much as all', () => {
    const merged = new MergedViews(100, silentLog)
    const kept = { entry: one, snapshot: offering('a') }
    const [before, after] = [offering('b'), offering('b', 'c')].map(
      (snapshot) => merged.of(tenant, [kept, { entry: two, snapshot }]).view.routes.tools,
    )
    expect([...(after?.keys() ?? [])]).toEqual(['same__a', 'same__b', 'same__c'])
    expect(after?.get('same__a')).toBe(before?.get('same__a'))
    expect(after?.get('same__b')).not.toBe(before?.get('same__b'))
  })
})
