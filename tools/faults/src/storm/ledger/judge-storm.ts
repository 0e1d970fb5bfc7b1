import type { Outage } from '../chaos/strike.ts'
import { type Attempt, isRepeatable } from './attempt.ts'
import { judgeAborts } from './judge-aborts.ts'
import { judgeAnswers } from './judge-answers.ts'
import { judgeCanaries } from './judge-canaries.ts'
import { judgeEndings } from './judge-endings.ts'
import { judgeJobs, type JobReading } from './judge-jobs.ts'
import { judgeProgress } from './judge-progress.ts'
import { judgeRolling } from './judge-rolling.ts'
import { judgeRuns } from './judge-runs.ts'
import { isCancelled } from './outcome.ts'
import type { Wait } from './wait.ts'

/** A promise, in words that say how often it was put to the test, and how it was broken; empty: it was kept. */
export interface Verdict {
  readonly promise: string
  readonly faults: readonly string[]
}

/** All that is known of the calls of a storm. */
export interface Ledger {
  readonly attempts: readonly Attempt[]
  readonly outages: readonly Outage[]
  /** What each gateway says of each job when all is quiet. */
  readonly readings: readonly JobReading[]
  /** How often the backends have run each attempt, by its id. */
  readonly runs: ReadonlyMap<string, number>
  readonly waits: readonly Wait[]
  /** The processes that run tools, and still run. */
  readonly running: ReadonlySet<number>
  /** What clients received that is not their own. */
  readonly strays: readonly string[]
  /** How often each attempt was answered on a session's stream, by its id. */
  readonly answers: ReadonlyMap<string, number>
  readonly isRolling: boolean
}

/** Holds what happened against what is promised of calls. */
export function judgeStorm(ledger: Ledger): readonly Verdict[] {
  const { attempts, outages, readings, runs, waits, running, strays } = ledger
  const count = (isMeant: (attempt: Attempt) => boolean): number => attempts.filter(isMeant).length
  const results = count(({ outcome }) => outcome.kind === 'result')
  const streams = count(({ tool, outcome }) => tool === 'stream' && outcome.kind === 'result')
  const once = count(({ tool }) => !isRepeatable(tool))
  const cancelled = count(({ tool, outcome }) => tool === 'abort' && isCancelled(outcome))
  const jobs = new Set(readings.map(({ job }) => job)).size
  return [
    {
      promise: `${attempts.length} attempts ended, each in a result or an error with a name`,
      faults: judgeEndings(attempts, outages),
    },
    {
      promise: `${results} results are those of their own calls, ${streams} of them streams whose pieces came in order; nothing came to somebody else`,
      faults: judgeCanaries(attempts, strays),
    },
    {
      promise: `${once} attempts of what may run once ran once at most, and not when their error said that they had not`,
      faults: judgeRuns(attempts, runs),
    },
    {
      promise: `${jobs} jobs whose promise was seen are over, and the same in ${readings.length} readings at all gateways`,
      faults: judgeJobs(readings),
    },
    {
      promise: `${cancelled} calls were cancelled by their clients, and their tools told, or ended with their process`,
      faults: judgeAborts(attempts, waits, outages, running),
    },
    { promise: 'clients of all kinds came to results, and so did all kinds of calls', faults: judgeProgress(attempts) },
    ...(ledger.isRolling
      ? [
          { promise: 'no call failed in the end though nodes were replaced', faults: judgeRolling(attempts) },
          {
            promise: `${count(({ accepted }) => accepted === true)} calls that got a 202 were answered on the stream, once`,
            faults: judgeAnswers(attempts, ledger.answers),
          },
        ]
      : []),
  ]
}
