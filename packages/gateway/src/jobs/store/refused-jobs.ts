import type { Closer, Fabric, Log, UnreadableReporter } from '@junctor/contracts'
import { payloadOf } from '@junctor/jsonrpc'
import { nodeHandler } from '../../nodes/node-handler.ts'
import { serviceNames } from '../../nodes/service-names.ts'
import type { Clock } from '../../shared/clock.ts'
import { pause } from '../../shared/pause.ts'
import { jobKeySchema } from '../record/job-key-schema.ts'
import { isPast, type JobRecord } from '../record/job-record.ts'

/** Interval between two attempts to remove a refused job from storage, in milliseconds. */
const againMs = 1_000

/**
 * The jobs that this node has refused because the storage did not answer, although they may be in the queue. Their
 * clients may have sent them again, so no node may run them.
 */
export interface RefusedJobs {
  /** @param takeBack removes the job from storage; rejects when that is not possible now */
  add(key: string, record: JobRecord, takeBack: () => Promise<unknown>): void
  has(key: string): boolean
  /** Lets other nodes ask whether a job was refused. */
  serve(): Promise<Closer>
  close(): void
}

/** Creates the table, empty. */
export function createRefusedJobs(
  fabric: Pick<Fabric, 'serve'>,
  clock: Pick<Clock, 'now'>,
  log: Log,
  unreadable: UnreadableReporter,
): RefusedJobs {
  const keys = new Set<string>()
  const closing = new AbortController()

  const takeBackSoon = async (key: string, record: JobRecord, takeBack: () => Promise<unknown>): Promise<void> => {
    while (!closing.signal.aborted && !isPast(record, clock.now())) {
      await pause(againMs)
      try {
        await takeBack()
        break
      } catch (error) {
        log.debug('a refused job could not be taken back, and will be tried again', { error })
      }
    }
    keys.delete(key)
  }

  const answer = nodeHandler(jobKeySchema, unreadable, ({ key }) => ({
    kind: 'complete',
    result: payloadOf(keys.has(key)),
  }))

  return {
    add(key, record, takeBack) {
      keys.add(key)
      void takeBackSoon(key, record, takeBack)
    },
    has: (key) => keys.has(key),
    serve: () => fabric.serve(serviceNames.refused, answer),
    close: () => closing.abort(),
  }
}
