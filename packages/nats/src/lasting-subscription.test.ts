import type { Msg, SubscriptionOptions } from '@nats-io/transport-node'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LastingSubscription } from './lasting-subscription.ts'

function subscribed() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const requested: SubscriptionOptions[] = []
  const received: Msg[] = []
  const state = { closed: false, ended: 0 }
  const end = (): void => void (state.ended += 1)
  const one = { unsubscribe: end, drain: async () => end(), isClosed: () => false }
  const connection = {
    isClosed: () => state.closed,
    isDraining: () => false,
    subscribe: (_subject: string, options: SubscriptionOptions) => {
      requested.push(options)
      return one
    },
  }
  const subscription = new LastingSubscription({
    connection: connection as never,
    subject: 'a.b',
    queue: 'group',
    receive: (message) => received.push(message),
  })
  const refuse = (): void => void requested.at(-1)?.callback?.(new Error('Permissions Violation'), {} as Msg)
  return { subscription, requested, received, state, refuse }
}

test('a subscription that is refused is requested again, in its group, until it is not', () => {
  const { subscription, requested, received, state, refuse } = subscribed()
  refuse()
  vi.runAllTimers()
  refuse()
  vi.runAllTimers()
  expect(requested.map(({ queue }) => queue)).toEqual(['group', 'group', 'group'])
  const message = { subject: 'a.b' } as Msg
  void requested.at(-1)?.callback?.(null, message)
  expect(received).toEqual([message])
  subscription.unsubscribe()
  expect(state.ended).toBe(1)
})

test.each(['unsubscribe', 'drain'] as const)('it is not requested after %s', async (end) => {
  const { subscription, requested, refuse } = subscribed()
  refuse()
  await subscription[end]()
  vi.runAllTimers()
  expect(requested).toHaveLength(1)
})

test('it is not requested from a connection that was closed', () => {
  const { requested, state, refuse } = subscribed()
  refuse()
  state.closed = true
  vi.runAllTimers()
  expect(requested).toHaveLength(1)
})
