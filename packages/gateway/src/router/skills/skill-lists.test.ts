import { expect, it } from 'vitest'
import { payloadOf, type Request } from '@junctor/jsonrpc'
import type { Outcome } from '@junctor/exchange'
import { createRequest, recordExchange } from '@junctor/testkit'
import { createHome, createTestPool } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import { Call } from '../../upstream/calls/call.ts'
import { failed } from '../../upstream/calls/failed.ts'
import { SkillLists } from './skill-lists.ts'

function setUp(run: (call: Call, request: Request) => Outcome) {
  const clock = createManualClock()
  const { entry } = createTestBackend({ isolation: 'shared' })
  const pool = createTestPool(clock)
  const lists = new SkillLists({
    calls: { run: (call, _entry, request) => run(call, request) },
    catalogue: { changes: () => 0 },
    now: clock.now,
  })
  const request = createRequest('skills/list')
  return async (session: string) => {
    const { session: caller } = createHome(session, tenantOf([entry]), pool)
    const { exchange } = recordExchange({ request })
    const list = await lists.of(new Call(caller, request, exchange), entry)
    return list.skills.map(({ uri }) => uri)
  }
}

const page = (uri: string, nextCursor?: string): Outcome => ({
  kind: 'complete',
  result: payloadOf({ skills: [{ uri }], ...(nextCursor !== undefined && { nextCursor }) }),
})

it('a server that ignores cursors, or gives them in turn, has each skill once', async () => {
  const same = setUp(() => page('skill://a', 'again'))
  expect(await same('a')).toEqual(['skill://a'])
  const inTurn = setUp((_call, { params }) => {
    const { cursor } = (params?.value() ?? {}) as { cursor?: string }
    return page(`skill://${cursor ?? 'one'}`, cursor === 'two' ? 'one' : 'two')
  })
  expect(await inTurn('a')).toEqual(['skill://one', 'skill://two'])
})

it('a caller that may make no more calls hides the skills from no other', async () => {
  let refused = true
  const list = setUp((call) => (refused ? failed(call, 'too_many_requests') : page('skill://a')))
  expect(await list('a')).toEqual([])
  refused = false
  expect(await list('b')).toEqual(['skill://a'])
})
