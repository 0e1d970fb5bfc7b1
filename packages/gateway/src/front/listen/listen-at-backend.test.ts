import { setImmediate } from 'node:timers/promises'
import type { Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { expect, it } from 'vitest'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { sampleSubmission } from '../../../test/support/sample-submission.ts'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { ownExchange } from '../../shared/own-exchange.ts'
import type { Listener } from '../../stateless/listener.ts'
import type { Call } from '../../upstream/calls/call.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import { listenAtBackend } from './listen-at-backend.ts'

it('a lost subscription is opened again soon, unless the one before was lost soon too', async () => {
  const clock = createManualClock()
  const ends: ((outcome: Outcome) => void)[] = []
  const calls = {
    run({ exchange }: Call) {
      const params = payloadOf({ notifications: { eventsListChanged: true } })
      exchange.notify({ method: 'notifications/subscriptions/acknowledged', params })
      return new Promise<Outcome>((resolve) => void ends.push(resolve))
    },
  } as unknown as Upstream['calls']
  const listening = {
    listener: {} as Listener,
    exchange: ownExchange('n-1', sampleSubmission('task').context, {}),
    entry: createTestBackend({}).entry,
    wanted: { eventsListChanged: true },
  }
  const subscription = await listenAtBackend(calls, clock, listening)
  expect(subscription.honoured).toEqual({ eventsListChanged: true })

  /** Ends the last subscription, and returns how many were opened after a time. */
  const openedAfter = async (ms: number): Promise<number> => {
    ends.at(-1)?.({ kind: 'complete', result: payloadOf({}) })
    await setImmediate()
    clock.advance(ms)
    await setImmediate()
    return ends.length
  }
  expect(await openedAfter(500)).toBe(2)
  expect(await openedAfter(500)).toBe(2)
  expect(await openedAfter(500)).toBe(3)
  clock.advance(60_000)
  expect(await openedAfter(500)).toBe(4)
  subscription.end()
})
