import type { Closer, Fabric, UnreadableReporter } from '@junctor/contracts'
import type { Exchange } from '@junctor/exchange'
import { nodeHandler } from '../../nodes/node-handler.ts'
import { nodeRequest } from '../../nodes/node-request.ts'
import { serviceNames } from '../../nodes/service-names.ts'
import { emptyOutcome } from '../../shared/empty-outcome.ts'
import { pause } from '../../shared/pause.ts'
import { isFinal, type JobRecord } from '../record/job-record.ts'
import type { JobRun } from '../run/job-run.ts'
import type { RunningJobs } from '../run/running-jobs.ts'
import { jobKeySchema } from '../record/job-key-schema.ts'
import type { StoredJob } from '../store/stored-records.ts'

/** Interval between two checks of a job that no node runs at the moment, in milliseconds. */
const checkMs = 100

/** Waits for jobs on any node. */
export interface JobWaiting {
  /**
   * The job when it has ended, or when its time to live is over (`undefined`), or its current state when the exchange
   * has ended. Its questions and progress meanwhile go to the exchange.
   */
  wait(key: string, exchange: Exchange): Promise<JobRecord | undefined>
  /** Lets other nodes wait for the jobs that this node runs. */
  serve(): Promise<Closer>
}

/** Creates the waiting for jobs, of which this node runs some. */
export function createJobWaiting(
  fabric: Pick<Fabric, 'node' | 'now' | 'call' | 'serve'>,
  runs: Pick<RunningJobs, 'get'>,
  read: (key: string) => Promise<StoredJob | undefined>,
  unreadable: UnreadableReporter,
): JobWaiting {
  /** Waits for the end of the job's current run, on any node. */
  const follow = async (key: string, { node }: JobRecord, exchange: Exchange): Promise<void> => {
    const run = runs.get(key)
    if (run !== undefined) return followRun(run, exchange)
    if (node === undefined || node === fabric.node) return
    await fabric.call({ service: serviceNames.job, node }, nodeRequest(serviceNames.job, { key }), exchange)
  }

  const answer = nodeHandler(jobKeySchema, unreadable, async ({ key }, exchange) => {
    const run = runs.get(key)
    if (run !== undefined) await followRun(run, exchange)
    return emptyOutcome
  })

  return {
    /* oxlint-disable no-await-in-loop -- until it is over */
    async wait(key, exchange) {
      for (;;) {
        const job = await read(key)
        if (job === undefined || isFinal(job.record.state) || exchange.ended !== undefined) return job?.record
        const began = fabric.now()
        await follow(key, job.record, exchange)
        // No node runs it now, or its node died without a message.
        if (fabric.now() - began < checkMs) await pause(checkMs)
      }
    },
    /* oxlint-enable no-await-in-loop */
    serve: () => fabric.serve(serviceNames.job, answer),
  }
}

async function followRun(run: Pick<JobRun, 'attach' | 'done'>, exchange: Exchange): Promise<void> {
  run.attach(exchange)
  await Promise.race([run.done, endOf(exchange)])
}

function endOf(exchange: Exchange): Promise<void> {
  return new Promise((resolve) => exchange.onEnd({ ended: () => resolve() }))
}
