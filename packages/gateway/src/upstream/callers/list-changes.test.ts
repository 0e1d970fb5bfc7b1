import { describe, expect, it } from 'vitest'
import type { Scope } from '@junctor/contracts'
import { createHome, createTestPool } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend, sessionScope } from '../../../test/support/test-backend.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import { createListChanges } from './list-changes.ts'

function setUp() {
  const clock = createManualClock()
  const pool = createTestPool(clock)
  const [{ entry }, other] = [createTestBackend(), createTestBackend({}, { name: 'two' })]
  const acme = tenantOf([entry], 'acme')
  const homes = {
    a: createHome('a', acme, pool),
    b: createHome('b', acme, pool),
    c: createHome('c', tenantOf([entry, other.entry], 'other'), pool),
  }
  const sessions = Object.values(homes).map(({ session }) => session)
  const changes = createListChanges({ homes: () => sessions }, 100, clock)
  /** The notifications of all sessions, as `<session>: <method>`. */
  const received = () =>
    Object.entries(homes).flatMap(([id, home]) =>
      home.notifications.map(({ method }) => `${id}: ${method.split('/')[1]}`),
    )
  return { clock, entry, other: other.entry, changes, received }
}

const tenantScope: Scope = {
  tenant: 'acme',
  principal: undefined,
  session: undefined,
  capabilities: {},
  key: 'tenant acme {}',
}

describe('ListChanges', () => {
  it('notifies once of all changes within a short interval', () => {
    const { changes, entry, other, clock, received } = setUp()
    changes.changed(entry, ['tools'])
    changes.changed(entry, ['tools'])
    changes.changed(other, ['tools'])
    changes.changed(other, ['resources'])
    changes.changed(other, ['resourceTemplates'])
    clock.advance(99)
    expect(received()).toEqual([])
    clock.advance(1)
    expect(received()).toEqual(['a: tools', 'b: tools', 'c: tools', 'c: resources'])
    clock.advance(1_000)
    expect(received()).toHaveLength(4)
  })

  it.each([
    ['its session', sessionScope('a', 'acme'), ['a: prompts']],
    ['its tenant', tenantScope, ['a: prompts', 'b: prompts']],
    ['everybody', { ...tenantScope, tenant: '' }, ['a: prompts', 'b: prompts', 'c: prompts']],
  ])('sends a change on a link of %s to no other caller', (_, scope, expected) => {
    const { changes, entry, clock, received } = setUp()
    changes.changed(entry, ['prompts'], scope)
    clock.advance(100)
    expect(received()).toEqual(expected)
  })
})
