import type { Closer, Fabric, Log } from '@junctor/contracts'
import type { Handler } from '@junctor/exchange'
import { isJsonObject, payloadOf } from '@junctor/jsonrpc'
import { serviceNames } from '../nodes/service-names.ts'
import type { Clock } from '../shared/clock.ts'
import { pause } from '../shared/pause.ts'
import type { JobRecord } from './job-record.ts'
import { isPast } from './job-record.ts'

/** How long is waited before a job is tried to be taken back again, in milliseconds. */
const againMs = 1_000

/**
 * The jobs that this node has refused although they may be in the queue, because the storage did not answer. Their clients
 * may have sent them again, so nobody may run them.
 */
export interface RefusedJobs {
  /** @param takeBack ends the job where it is stored; rejects when that is not possible now */
  add(key: string, record: JobRecord, takeBack: () => Promise<unknown>): void
  has(key: string): boolean
  /** Lets other nodes ask. */
  serve(): Promise<Closer>
  close(): void
}

export function createRefusedJobs(fabric: Pick<Fabric, 'serve'>, clock: Pick<Clock, 'now'>, log: Log): RefusedJobs {
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

  const answer: Handler = ({ params }) => {
    const value = params?.value()
    const key = isJsonObject(value) ? value['key'] : undefined
    return { kind: 'complete', result: payloadOf(typeof key === 'string' && keys.has(key)) }
  }

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
