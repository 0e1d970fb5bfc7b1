import { silentLog } from '@junctor/contracts'
import { eventually } from '@junctor/testkit'
import { expect, it } from 'vitest'
import { sampleSubmission } from '../../../test/support/sample-submission.ts'
import { createDeadlines } from '../../shared/deadlines.ts'
import { createJobIds } from '../record/job-ids.ts'
import { type JobRecord, keyOf } from '../record/job-record.ts'
import { createUnattendedJobs } from './unattended-jobs.ts'
import { newJobRecord } from '../record/submission.ts'

const began = 1_000_000
const nextId = createJobIds()

function recordFrom(node: string): JobRecord {
  return newJobRecord(sampleSubmission('task'), nextId(true), node, 300_000, began)
}

function start() {
  let time = began
  const clock = {
    now: () => time,
    deadlines: createDeadlines(
      () => time,
      () => {},
    ),
  }
  const pushed: string[] = []
  const asked: string[] = []
  const isPresent = async (node: string): Promise<boolean> => {
    asked.push(node)
    return node === 'here'
  }
  const left = createUnattendedJobs({ isPresent, clock, log: silentLog }, async (key) => void pushed.push(key))
  return { left, pushed, asked, advance: (ms: number) => (time += ms) }
}

it('requeues a requested job when its accepting node is gone and nothing was written of it', async () => {
  const { left, pushed, advance } = start()
  const record = recordFrom('gone')
  left.asked(keyOf(record), record)
  advance(29_999)
  left.asked(keyOf(record), record)
  advance(1)
  left.asked(keyOf(record), record)
  await eventually(() => expect(pushed).toEqual([keyOf(record)]))
})

it('checks a job only once in a while, regardless of how often it is requested', async () => {
  const { left, pushed, advance } = start()
  const record = recordFrom('gone')
  for (let second = 0; second < 90; second += 1) {
    advance(1_000)
    left.asked(keyOf(record), record)
    left.sweep()
  }
  await eventually(() => expect(pushed).toHaveLength(2))
})

it('does not touch jobs that have ended or whose node is present', async () => {
  const { left, pushed, asked, advance } = start()
  const [own, over] = [recordFrom('here'), recordFrom('gone')]
  advance(60_000)
  left.asked(keyOf(over), { ...over, state: 'succeeded' })
  left.asked(keyOf(own), own)
  await eventually(() => expect(asked).toEqual(['here']))
  expect(pushed).toEqual([])
})
