import { expect, test } from 'vitest'
import type { GatewayEvent } from './event.ts'
import { mergeEvents } from './merge-events.ts'

function at(second: number, tool: string): GatewayEvent {
  return {
    timestamp: `2026-01-01T00:00:0${second}.000000+00:00`,
    trace_id: '550e8400-e29b-41d4-a716-446655440000',
    status: 'success',
    event_type: 'gateway.tool_call',
    source: 'gw',
    tool,
  }
}

const answers = [
  { node: 'one', events: [at(1, 'a'), at(3, 'c'), at(3, 'd')] },
  { node: 'two', events: [at(2, 'b'), at(3, 'e'), at(4, 'f')] },
]
const shown = (events: readonly GatewayEvent[]): unknown => events.map(({ tool, node }) => [tool, node])

test('events of several nodes are ordered by time, and name their node', () => {
  expect(shown(mergeEvents(answers, {}))).toEqual([
    ['a', 'one'],
    ['b', 'two'],
    ['c', 'one'],
    ['d', 'one'],
    ['e', 'two'],
    ['f', 'two'],
  ])
})

test('only the newest events of all nodes remain, up to the limit', () => {
  expect(shown(mergeEvents(answers, { limit: 2 }))).toEqual([
    ['e', 'two'],
    ['f', 'two'],
  ])
  const many = Array.from({ length: 80 }, () => at(1, 'x'))
  expect(mergeEvents([...answers, { node: 'three', events: many }, { node: 'four', events: many }], {})).toHaveLength(
    100,
  )
})
