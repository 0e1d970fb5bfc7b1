import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import { isFinalState, jobPatienceMs } from '../clients/job-client.ts'
import { labelOf } from '../ledger/outcome.ts'
import { outcomeOf } from '../clients/http-3-client.ts'
import { outcomeOfRejection } from '../clients/fetch-anywhere.ts'
import { idText } from '../clients/results.ts'
import { post, responseOf } from '../clients/post.ts'
import type { Attempt } from '../ledger/attempt.ts'
import type { JobReading } from '../ledger/judge-jobs.ts'

/** What is needed to ask for jobs. */
export interface JobReaderOptions {
  readonly gateways: readonly string[]
  /** The API keys, by the canaries of those whose they are. */
  readonly keys: Readonly<Record<string, string>>
}

const pollMs = 200

/** Asks every gateway about every job that was promised, waiting a while for those that are not over. */
export async function readJobs(
  attempts: readonly Attempt[],
  { gateways, keys }: JobReaderOptions,
): Promise<readonly JobReading[]> {
  const deadline = performance.now() + jobPatienceMs
  const readings: JobReading[] = []
  for (const { id, job, canary } of attempts) {
    if (job === undefined) continue
    const read = (gateway: string): Promise<JobReading> =>
      readJob({ gateway, key: keys[canary] ?? '', job: job.id, call: id }, deadline)
    // Some at a time: it is not to be another storm.
    // oxlint-disable-next-line no-await-in-loop
    readings.push(...(await Promise.all(gateways.map(read))))
  }
  return readings
}

interface Asked {
  readonly gateway: string
  readonly key: string
  readonly job: string
  /** The id of the call that became the job: under this its outcome is given. */
  readonly call: string
}

async function readJob({ gateway, key, job, call }: Asked, deadline: number): Promise<JobReading> {
  const ask = async (method: string): Promise<readonly JsonObject[]> => {
    const message = { jsonrpc: '3.0', id: method, method, params: { jobId: job } }
    return (await post({ canary: '', key, anywhere: { urls: () => [gateway] } }, message)).messages
  }
  for (;;) {
    let state: string
    // oxlint-disable no-await-in-loop
    try {
      const { result, error } = responseOf(
        { status: 200, session: '', messages: await ask('job.status') },
        'job.status',
      )
      state = error === undefined ? idText((result as JsonObject)['status']) : labelOf(outcomeOf({ error }))
      if (isFinalState(state)) {
        const own = (await ask('job.result')).find(({ id }) => id === call || id === 'job.result') ?? {}
        return { job, gateway, state, outcome: JSON.stringify(own['result'] ?? own['error'] ?? null) }
      }
    } catch (error) {
      state = labelOf(outcomeOfRejection(error, () => ({ kind: 'silent', what: String(error) })))
    }
    if (state === 'unknown_resource' || performance.now() > deadline) return { job, gateway, state, outcome: '' }
    await after(pollMs)
    // oxlint-enable no-await-in-loop
  }
}
