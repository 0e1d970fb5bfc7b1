import fc from 'fast-check'
import { endReasons } from './end-reasons.ts'
import { ExchangeRun, type Step } from './exchange-run.ts'

/** Any external event that can affect an exchange. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom<Step>({ do: 'ack' }, { do: 'detach' }, { do: 'drain' }, { do: 'watch' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('attach'),
      slow: fc.boolean(),
      asks: fc.constantFrom('live', 'live', 'none'),
    }),
  },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'chunk' }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('progress'), progress: fc.integer({ min: 0, max: 20 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('notify'), times: fc.constantFrom(1, 1, 1, 200) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('ask'), guessed: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('answer', 'time out', 'take back'), which: fc.nat({ max: 8 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass'), ms: fc.nat({ max: 1000 }) }) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.constant<Step>({ do: 'settle' }),
      fc.record({ do: fc.constant('end'), reason: fc.constantFrom(...endReasons) }),
    ),
  },
)

/** Performs the steps, and then completes the exchange. */
export async function run(steps: readonly Step[]): Promise<ExchangeRun> {
  const exchangeRun = new ExchangeRun()
  for (const next of steps) await exchangeRun.take(next)
  await exchangeRun.finish()
  return exchangeRun
}
