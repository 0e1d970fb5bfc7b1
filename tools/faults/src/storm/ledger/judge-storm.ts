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

/** A promise, as a text with the number of its checks, and the ways in which it was broken; empty when it was kept. */
export interface PromiseVerdict {
  readonly promise: string
  readonly faults: readonly string[]
}

/** All data about the calls of a storm. */
export interface Ledger {
  readonly attempts: readonly Attempt[]
  readonly outages: readonly Outage[]
  /** Each gateway's report on each job at the end. */
  readonly readings: readonly JobReading[]
  /** How often the backends have run each attempt, by its id. */
  readonly runs: ReadonlyMap<string, number>
  readonly waits: readonly Wait[]
  /** The running processes among those that run tools. */
  readonly running: ReadonlySet<number>
  /** Messages that clients received but that belong to others. */
  readonly strays: readonly string[]
  /** How often each attempt was answered on a session's stream, by its id. */
  readonly answers: ReadonlyMap<string, number>
  readonly isRolling: boolean
}

/** Compares the events of a storm with the promises about calls. */
export function judgeStorm(ledger: Ledger): readonly PromiseVerdict[] {
  const { attempts, outages, readings, runs, waits, running, strays } = ledger
  const count = (matches: (attempt: Attempt) => boolean): number => attempts.filter(matches).length
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
      promise: `${results} results are those of their own calls, ${streams} of them streams whose pieces came in order; no client received another client's message`,
      faults: judgeCanaries(attempts, strays),
    },
    {
      promise: `${once} attempts of what may run once ran once at most, and not when their error denied a run`,
      faults: judgeRuns(attempts, runs),
    },
    {
      promise: `${jobs} jobs whose promise was seen are over, and the same in ${readings.length} readings at all gateways`,
      faults: judgeJobs(readings),
    },
    {
      promise: `${cancelled} calls were cancelled by their clients, and their tools notified, or ended with their process`,
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
