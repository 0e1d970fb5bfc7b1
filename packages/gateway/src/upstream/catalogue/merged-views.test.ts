import { expect, it } from 'vitest'
import { silentLog } from '@junctor/contracts'
import { payloadOf } from '@junctor/jsonrpc'
import { createTestBackend, testServer } from '../../../test/support/test-backend.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import { MergedViews } from './merged-views.ts'
import type { Snapshot } from './snapshot.ts'

it('logs a name of two backends once, however often their lists change', () => {
  const logged: unknown[] = []
  const merged = new MergedViews(100, { ...silentLog, warn: (_message, fields) => void logged.push(fields) })
  const one = createTestBackend({ prefix: 'same' }, { name: 'one' }).entry
  const two = createTestBackend({ prefix: 'same' }, { name: 'two' }).entry
  const tenant = tenantOf([one, two])
  const offering = (id: number, ...names: string[]): Snapshot => ({
    id,
    server: testServer,
    lists: { tools: names.map((name) => payloadOf({ name })), resources: [], resourceTemplates: [], prompts: [] },
    failures: {},
    hints: {},
    problems: [],
    findings: [],
    unapproved: [],
  })
  for (let id = 1; id <= 9; id += 1) {
    const names = id < 5 ? ['a'] : ['a', 'b']
    merged.of(
      tenant,
      [one, two].map((entry) => ({ entry, snapshot: offering(id, ...names) })),
    )
    merged.of(tenant, [{ entry: one, snapshot: offering(100 + id, 'a') }])
  }
  const backends = ['one', 'two']
  expect(logged).toEqual([
    { kind: 'tools', name: 'same__a', backends },
    { kind: 'tools', name: 'same__b', backends },
  ])
})
