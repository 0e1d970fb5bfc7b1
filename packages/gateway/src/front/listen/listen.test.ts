import { setImmediate } from 'node:timers/promises'
import { payloadOf, type Request, requestId } from '@junctor/jsonrpc'
import { expect, it } from 'vitest'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { sampleSubmission } from '../../../test/support/sample-submission.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import type { JobRecord } from '../../jobs/record/job-record.ts'
import { ownExchange } from '../../shared/own-exchange.ts'
import { Listeners } from '../../stateless/listeners.ts'
import { createListen, type ListenParts } from './listen.ts'

const { context } = sampleSubmission('task')
const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
const task = { id: 'j_1', owner: 'ada', kind: 'task', state: 'running', createdAt: 1, updatedAt: 1, ttlMs: 1_000 }

/** A subscription to one task, whose record the fabric gives when the test says so. */
function listenToTask() {
  const reads: ((record: JobRecord) => void)[] = []
  const shown: string[] = []
  const listeners = new Listeners()
  const parts = {
    listeners,
    tenants: new Map([['default', tenantOf([], 'default')]]),
    upstream: { subscriptions: { end() {} } },
    clock: createManualClock(),
    jobs: { read: () => new Promise((resolve) => void reads.push(resolve)) },
  } as unknown as ListenParts
  const params = payloadOf({ notifications: { taskIds: [task.id] } })
  const method = 'subscriptions/listen'
  const request: Request = { kind: 'request', dialect: '2.0', id: requestId(1), method, params }
  const exchange = ownExchange(
    'n-1',
    { ...context, revision: '2026-07-28', client: { info: {}, capabilities } },
    { notify: (notification) => void shown.push(notification.method) },
  )
  const outcome = Promise.resolve(createListen(parts)(request, exchange))
  /** Answers the oldest read, and lets all that follows from it happen. */
  const answer = async (): Promise<void> => {
    await setImmediate()
    reads.shift()?.(task as unknown as JobRecord)
    await setImmediate()
  }
  return { listeners, outcome, shown, answer }
}

it('a subscription to a task tells its state', async () => {
  const { shown, answer } = listenToTask()
  await answer()
  expect(shown).toEqual(['notifications/subscriptions/acknowledged'])
  await answer()
  expect(shown).toEqual(['notifications/subscriptions/acknowledged', 'notifications/tasks'])
})

it('a subscription that its node has ended looks at no task any more', async () => {
  const { listeners, outcome, shown, answer } = listenToTask()
  await answer()
  listeners.endAll()
  expect(await outcome).toMatchObject({ kind: 'complete' })
  await answer()
  expect(shown).toEqual(['notifications/subscriptions/acknowledged'])
})
