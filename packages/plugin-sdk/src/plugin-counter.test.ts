import type { TelemetryEvent } from '@junctor/contracts'
import { expect, it } from 'vitest'
import { createCounter } from './plugin-counter.ts'

it('counts by one, or by any number, without or with a value', () => {
  const events: TelemetryEvent[] = []
  const counter = createCounter('sky', 'answers', (event) => void events.push(event))
  counter.add()
  counter.add(2.5, 'cached')
  const counted = { kind: 'plugin_counted', backend: 'sky', counter: 'answers' }
  expect(events).toEqual([
    { ...counted, by: 1, value: '' },
    { ...counted, by: 2.5, value: 'cached' },
  ])
})

it.each([-1, NaN, Infinity])('does not count by %d', (by) => {
  expect(() => createCounter('sky', 'answers', () => {}).add(by)).toThrow(RangeError)
})

it.each(['', 'Answers', '1st', 'a-b', 'a'.repeat(65)])('refuses the name %j', (name) => {
  expect(() => createCounter('sky', name, () => {})).toThrow(/expected a name of a counter/)
})
