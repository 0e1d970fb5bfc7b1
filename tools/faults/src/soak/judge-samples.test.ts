import { expect, test } from 'vitest'
import { judgeSamples } from './judge-samples.ts'
import type { Sample } from './sample.ts'

const first: Sample = { second: 10, heap: 20e6, rss: 90e6, descriptors: 30, processes: 1, timers: 3, sessions: 0 }

test.each([
  ['the same', {}, []],
  ['a little more heap', { heap: 23e6 }, []],
  ['more memory of the system', { rss: 200e6 }, []],
  ['much more heap', { heap: 30e6 }, ['live heap went from 20000000 to 30000000']],
  ['a process', { processes: 2 }, ['processes went from 1 to 2']],
  ['sockets', { descriptors: 40 }, ['descriptors went from 30 to 40']],
  ['timers', { timers: 20 }, ['timers went from 3 to 20']],
  ['a session', { sessions: 1 }, ['sessions went from 0 to 1']],
])('%s', (_name, more, expected) => {
  expect(judgeSamples([first, { ...first, ...more, second: 600 }])).toEqual(expected)
})

test('a single quiet moment is not enough', () => {
  expect(judgeSamples([first])).toHaveLength(1)
})
