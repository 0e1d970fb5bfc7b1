import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import { outcomeOfRejection } from '../clients/fetch-anywhere.ts'
import { outcomeOf } from '../clients/http-3-client.ts'
import { post, responseOf } from '../clients/post.ts'
import { endRawSession, openRawSession } from '../clients/raw-session.ts'
import { idText } from '../clients/results.ts'
import { type ClientOptions, collectTimeoutMs } from '../clients/storm-client.ts'
import type { Attempt } from '../ledger/attempt.ts'
import { isFinalState } from '../ledger/final-states.ts'
import type { JobReading } from '../ledger/judge-jobs.ts'
import { labelOf } from '../ledger/outcome.ts'

/** What reading jobs needs. */
export interface JobReaderOptions {
  readonly gateways: readonly string[]
  /** The API keys, by the canaries of their owners. */
  readonly keys: Readonly<Record<string, string>>
}

const pollMs = 200

/** Asks every gateway about every promised job and task, and waits a while for unfinished ones. */
export async function readJobs(
  attempts: readonly Attempt[],
  { gateways, keys }: JobReaderOptions,
): Promise<readonly JobReading[]> {
  const deadline = performance.now() + collectTimeoutMs
  const readings: JobReading[] = []
  // One owner and one job after the other, to avoid another storm.
  for (const [canary, own] of Map.groupBy(attempts, (attempt) => attempt.canary)) {
    const promised = own.filter(({ job }) => job !== undefined)
    const at = (gateway: string): ClientOptions => ({
      canary,
      key: keys[canary] ?? '',
      anywhere: { urls: () => [gateway], nats: [] },
    })
    // oxlint-disable no-await-in-loop
    const session = promised.some(({ kind }) => kind === 'task') ? await openRawSession(at(gateways[0] ?? '')) : {}
    for (const attempt of promised) {
      const languageOf = attempt.kind === 'task' ? asTask : asJob
      const language = languageOf(attempt.job?.id ?? '', attempt.id)
      readings.push(...(await Promise.all(gateways.map((url) => readJob(at(url), url, session, language, deadline)))))
    }
    if (Object.keys(session).length > 0) await endRawSession(at(gateways[0] ?? ''), session)
    // oxlint-enable no-await-in-loop
  }
  return readings
}

/** The requests for one job. */
interface JobLanguage {
  readonly job: string
  readonly status: JsonObject
  readonly result: JsonObject
  /** The id of the response with its outcome. */
  readonly answerId: string
}

function asJob(job: string, call: string): JobLanguage {
  const message = (method: string): JsonObject => ({ jsonrpc: '3.0', id: method, method, params: { jobId: job } })
  return { job, status: message('job.status'), result: message('job.result'), answerId: call }
}

function asTask(job: string): JobLanguage {
  const message = (method: string): JsonObject => ({ jsonrpc: '2.0', id: method, method, params: { taskId: job } })
  return { job, status: message('tasks/get'), result: message('tasks/result'), answerId: 'tasks/result' }
}

async function readJob(
  options: ClientOptions,
  gateway: string,
  session: Readonly<Record<string, string>>,
  { job, status, result, answerId }: JobLanguage,
  deadline: number,
): Promise<JobReading> {
  const headers = status['jsonrpc'] === '2.0' ? session : {}
  for (;;) {
    let state: string
    // oxlint-disable no-await-in-loop
    try {
      const answer = responseOf(await post(options, status, headers), status['id'])
      state =
        answer['error'] === undefined ? idText((answer['result'] as JsonObject)['status']) : labelOf(outcomeOf(answer))
      if (isFinalState(state)) {
        const own = responseOf(await post(options, result, headers), answerId)
        return { job, gateway, state, outcome: JSON.stringify(own['result'] ?? own['error']) }
      }
    } catch (error) {
      state = labelOf(outcomeOfRejection(error, () => ({ kind: 'silent', what: String(error) })))
    }
    if (performance.now() > deadline) return { job, gateway, state, outcome: '' }
    await after(pollMs)
    // oxlint-enable no-await-in-loop
  }
}
