import { expect, it } from 'vitest'
import { judgeNats } from './judge-nats.ts'
import type { NatsState } from './nats-state.ts'

const before: NatsState = {
  connections: 3,
  subscriptions: 60,
  streams: { queue: { messages: 0, consumers: 1 }, jobs: { messages: 0, consumers: 0 } },
}
const judge = (after: Partial<NatsState>) =>
  judgeNats(before, { ...before, ...after }, (stream) => (stream === 'jobs' ? 5 : undefined))

it('finds new consumers, messages and subscriptions', () => {
  expect(judge({})).toEqual([])
  expect(judge({ connections: 4 })).toEqual(['connections to NATS: 3 before, 4 after'])
  expect(judge({ subscriptions: 70 })).toHaveLength(1)
  expect(judge({ streams: { queue: { messages: 1, consumers: 1 } } })).toEqual(['messages in queue: 0 before, 1 after'])
  expect(judge({ streams: { queue: { messages: 0, consumers: 2 } } })).toEqual([
    'consumers of queue: 1 before, 2 after',
  ])
  expect(judge({ streams: { jobs: { messages: 5, consumers: 0 } } })).toEqual([])
  expect(judge({ streams: { jobs: { messages: 6, consumers: 0 } } })).toHaveLength(1)
})
