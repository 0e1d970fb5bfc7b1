import { memoryUsage } from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Dispatcher } from 'undici'
import { expect, test } from 'vitest'
import { HttpRound, type RoundEnd } from './http-round.ts'

const controller = { abort() {}, pause() {}, resume() {} } as unknown as Dispatcher.DispatchController

test('a body of many small pieces occupies not much more than its bytes', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const bodies: Uint8Array[] = []
  const ends: RoundEnd[] = []
  const round = new HttpRound(
    {
      head: () => 'whole',
      whole: (body) => void bodies.push(body),
      over: (end) => void ends.push(end),
      event() {},
      id() {},
      retry() {},
    },
    1_000_000,
    () => [],
  )
  round.onRequestStart(controller)
  round.onResponseStart(controller, 200, {})
  collect()
  const before = memoryUsage()
  for (let count = 0; count < 200_000; count += 1) round.onResponseData(controller, Uint8Array.of(120))
  collect()
  const { heapUsed, arrayBuffers } = memoryUsage()
  expect(heapUsed - before.heapUsed + arrayBuffers - before.arrayBuffers).toBeLessThan(5_000_000)
  round.onResponseEnd()
  expect(bodies.map(({ length }) => length)).toEqual([200_000])
  expect(ends).toEqual([{ kind: 'complete' }])
})
