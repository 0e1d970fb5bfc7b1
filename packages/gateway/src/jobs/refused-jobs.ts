import type { Closer, Fabric } from '@junctor/contracts'
import type { Handler } from '@junctor/exchange'
import { createExchange } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { isJsonObject, payloadOf, requestId } from '@junctor/jsonrpc'
import { pause } from '../shared/pause.ts'
import type { JobParts } from './job-parts.ts'
import type { JobRecord } from './job-record.ts'
import { contextOf, isPast } from './job-record.ts'

/** The service under which a node says whether it has refused a job. */
const refusedService = '$refused'

/** How long a node has to say so, in milliseconds. */
const answerMs = 2_000

/** A job that is taken sooner is one whose client is not answered yet, in milliseconds: the storage has not been given up. */
const freshMs = 3_000

/** How long is waited before a job is tried to be taken back again, in milliseconds. */
const againMs = 1_000

/**
 * The jobs that this node has refused although they may be in the queue, because the storage did not answer. Their clients
 * may have sent them again, so nobody may run them.
 */
export interface RefusedJobs {
  /** @param takeBack ends the job where it is stored; rejects when that is not possible now */
  add(key: string, record: JobRecord, takeBack: () => Promise<unknown>): void
  /** Whether a job was refused by the node that it came to. Of a node that is gone: no. */
  includes(key: string, record: JobRecord): boolean | Promise<boolean>
  /** Lets other nodes ask. */
  serve(): Promise<Closer>
  close(): void
}

export function createRefusedJobs(fabric: Fabric, { host, clock, log }: JobParts): RefusedJobs {
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

  const ask = async (key: string, record: JobRecord): Promise<boolean> => {
    const request = question(key)
    const context = contextOf(record)
    const deadline = clock.now() + answerMs
    const exchange = createExchange({ id: host.nextId(), request, context, deadline, attempt: 1 }, host)
    const outcome = await fabric.call({ service: refusedService, node: record.from }, request, exchange)
    exchange.settle(outcome)
    return outcome.kind === 'complete' && outcome.result.value() === true
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
    includes(key, record) {
      if (record.from === fabric.node) return keys.has(key)
      return record.attempt === 0 && clock.now() - record.createdAt >= freshMs && ask(key, record)
    },
    serve: () => fabric.serve(refusedService, answer),
    close() {
      closing.abort()
    },
  }
}

function question(key: string): Request {
  return { kind: 'request', dialect: '2.0', id: requestId(0), method: refusedService, params: payloadOf({ key }) }
}
