import { silentLog } from '@junctor/exchange'
import { requestId } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import { expect, it } from 'vitest'
import { createTimetable } from '../timetable.ts'
import { createJobIds } from './job-ids.ts'
import type { JobRecord } from './job-record.ts'
import { keyOf } from './job-record.ts'
import { createLeftJobs } from './left-jobs.ts'
import { newJobRecord } from './submission.ts'

const began = 1_000_000
const nextId = createJobIds()

function recordFrom(node: string): JobRecord {
  const context = {
    tenant: 'default',
    principal: { issuer: 'local', subject: 'ada', key: 'local ada' },
    session: 's',
    revision: '2025-11-25',
    client: { info: {}, capabilities: {} },
    trace: undefined,
  } as const
  const request = { kind: 'request', dialect: '2.0', id: requestId(1), method: 'ping', params: undefined } as const
  return newJobRecord({ kind: 'task', request, context, home: 'one' }, nextId(true), node, 300_000, began)
}

function start() {
  let time = began
  const clock = {
    now: () => time,
    timetable: createTimetable(
      () => time,
      () => {},
    ),
  }
  const pushed: string[] = []
  const asked: string[] = []
  const isThere = async (node: string): Promise<boolean> => {
    asked.push(node)
    return node === 'here'
  }
  const left = createLeftJobs({ isThere, clock, log: silentLog }, async (key) => void pushed.push(key))
  return { left, pushed, asked, advance: (ms: number) => (time += ms) }
}

it('queues a job again that is asked for, when the node that it came to is gone and nothing was written of it', async () => {
  const { left, pushed, advance } = start()
  const record = recordFrom('gone')
  left.asked(keyOf(record), record)
  advance(29_999)
  left.asked(keyOf(record), record)
  advance(1)
  left.asked(keyOf(record), record)
  await eventually(() => expect(pushed).toEqual([keyOf(record)]))
})

it('looks after a job once in a while, however often it is asked for', async () => {
  const { left, pushed, advance } = start()
  const record = recordFrom('gone')
  for (let second = 0; second < 90; second += 1) {
    advance(1_000)
    left.asked(keyOf(record), record)
    left.sweep()
  }
  await eventually(() => expect(pushed).toHaveLength(2))
})

it('leaves alone what is over, and what its node looks after', async () => {
  const { left, pushed, asked, advance } = start()
  const [own, over] = [recordFrom('here'), recordFrom('gone')]
  advance(60_000)
  left.asked(keyOf(over), { ...over, state: 'succeeded' })
  left.asked(keyOf(own), own)
  await eventually(() => expect(asked).toEqual(['here']))
  expect(pushed).toEqual([])
})
