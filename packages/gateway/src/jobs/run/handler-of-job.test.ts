import type { Handler } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { recordExchange } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { sampleJob } from '../../../test/support/sample-job.ts'
import { sampleSubmission } from '../../../test/support/sample-submission.ts'
import type { JobKind } from '../record/job-record.ts'
import { handlerOfJob } from './handler-of-job.ts'

/** Runs a job of a session whose home is another node. Returns who ran it: the home, or this node in which session. */
async function run(kind: JobKind, isHomePresent: boolean): Promise<readonly unknown[]> {
  const ran: unknown[] = []
  const answer: Handler = (_request, { context }) => {
    ran.push(context.session ?? 'no session')
    return { kind: 'complete', result: payloadOf('done') }
  }
  const fabric = {
    node: 'here',
    async call() {
      ran.push('home')
      return { kind: 'complete', result: payloadOf('done') } as const
    },
  }
  const { request, context } = sampleSubmission(kind)
  const record = { ...sampleJob, kind, session: 's', home: 'there' }
  const handler = handlerOfJob({ fabric, isPresent: async () => isHomePresent, answer }, record)
  await handler(request, recordExchange({ init: { context } }).exchange)
  return ran
}

test.each(['task', 'async'] as const)(
  'a job of kind %s runs for its principal when its home is not present',
  async (kind) => {
    expect(await run(kind, true)).toEqual(['home'])
    expect(await run(kind, false)).toEqual(['no session'])
  },
)

test('a job whose answer goes to the stream of its session runs at the home of the session only', async () => {
  expect(await run('queued', false)).toEqual(['home'])
})
