import { expect, it } from 'vitest'
import { sampleJob } from '../../../test/support/sample-job.ts'
import type { JobRecord } from '../../jobs/record/job-record.ts'
import { notifyTaskStatus } from './notify-task-status.ts'

const task: JobRecord = { ...sampleJob, session: 's', state: 'cancelled' }

it.each(['2.0', '3.0'] as const)('speaks the JSON-RPC version of the request that started the task: %s', (dialect) => {
  const texts: string[] = []
  const deliver = (_home: string, { text }: { readonly text: string }): undefined => void texts.push(text)
  const record = { ...task, request: { id: '1', dialect, method: 'tools/call' } }
  notifyTaskStatus({ deliver }, record, { kind: 'cancel', outcome: { result: '{}' }, now: 1000 })
  expect(texts.map((text) => JSON.parse(text) as unknown)).toMatchObject([
    { jsonrpc: dialect, method: 'notifications/tasks/status', params: { taskId: task.id, status: 'cancelled' } },
  ])
})
