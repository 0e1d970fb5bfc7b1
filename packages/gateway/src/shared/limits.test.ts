import { expect, it } from 'vitest'
import { defaultGatewayLimits, limitsWith } from './limits.ts'

it.each([
  [{}, 5_000, 30_000],
  [{ startWaitMs: 100 }, 100, 100],
  [{ startWaitMs: 100, unannouncedStartWaitMs: 7 }, 100, 7],
])('lists wait, where %j is set, for %i and %i ms', (set, startWaitMs, unannouncedStartWaitMs) => {
  expect(limitsWith(set)).toEqual({ ...defaultGatewayLimits, startWaitMs, unannouncedStartWaitMs })
})
