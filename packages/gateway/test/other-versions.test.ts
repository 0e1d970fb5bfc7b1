import type { Fabric, ReadData } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import type { JsonObject } from '@junctor/jsonrpc'
import { describe, expect, it, test } from 'vitest'
import { readClientMessage } from '../src/front/messages/client-message.ts'
import { readJobFrame } from '../src/jobs/delivery/job-frame.ts'
import { createIdempotencyKeys } from '../src/jobs/store/idempotency.ts'
import { createJobIds } from '../src/jobs/record/job-ids.ts'
import { readJobItem } from '../src/jobs/record/job-item.ts'
import { type JobRecord, keyOf, readJobRecord } from '../src/jobs/record/job-record.ts'
import { newJobRecord } from '../src/jobs/record/submission.ts'
import { createStoredRecords } from '../src/jobs/store/stored-records.ts'
import { readHandover, readHandoverMessage } from '../src/sessions/handover/handover-state.ts'
import { readStoredSession, toSessionRecord } from '../src/sessions/home/session-record.ts'
import { readNodeAbout } from '../src/upstream/remote/node-about.ts'
import { sampleSubmission } from './support/sample-submission.ts'

// What other nodes send and store, as a node of another version, or a damaged storage, may have made it.

const context = {
  tenant: 'acme',
  principal: { issuer: 'local', subject: 'ada', key: 'local ada' },
  session: 's_1',
  revision: '2025-06-18',
  client: { info: { name: 'c' }, capabilities: {} },
  trace: undefined,
} as const
const nextId = createJobIds()
const job = newJobRecord(sampleSubmission('task'), nextId(true), 'node0001', 60_000, 1_000_000)
const record: JobRecord = JSON.parse(
  JSON.stringify({ ...job, outcome: { result: '{}' }, progress: { progress: 1 }, batch: { id: 'b', size: 2, at: 1 } }),
)

interface Reader {
  readonly read: (value: unknown) => Pick<ReadData<unknown>, 'kind'>
  readonly sample: object
  /** Members that may be missing. */
  readonly optional: readonly string[]
}

const readers: readonly (readonly [string, Reader])[] = [
  [
    'the record of a job',
    {
      read: readJobRecord,
      sample: record,
      optional: [
        'session',
        'extensions',
        'trace',
        'batch',
        'token',
        'idempotencyKey',
        'node',
        'tries',
        'progress',
        'outcome',
      ],
    },
  ],
  [
    'the record of a session',
    {
      read: (value) => {
        const stored = readStoredSession(value)
        return stored.kind === 'record' ? { kind: 'read' } : (stored as { kind: 'unreadable' })
      },
      sample: toSessionRecord('node0001', { context, dialect: '2.0' }, 1),
      optional: ['extensions', 'dialect'],
    },
  ],
  [
    'a frame of a job',
    {
      read: readJobFrame,
      sample: { session: 's', job: 'j', text: '{}', last: true, batch: { id: 'b', size: 2, at: 1 } },
      optional: ['batch'],
    },
  ],
  ['a message of a client', { read: readClientMessage, sample: { session: 's', ask: 12, text: '' }, optional: [] }],
  [
    'an announcement',
    {
      read: (value) => readNodeAbout(value as JsonObject) as Pick<ReadData<unknown>, 'kind'>,
      sample: { role: 'worker', name: 'n', version: '1', startedAt: '', policy: 'p', backends: { a: { tools: 1 } } },
      optional: ['name', 'version', 'startedAt', 'policy', 'backends'],
    },
  ],
  [
    'a message of a hand-over',
    {
      read: readHandoverMessage,
      sample: {
        first: true,
        moves: 2,
        frames: [
          ['{}', 12],
          ['{}', null],
        ],
        rest: {},
      },
      optional: ['first', 'moves', 'frames', 'rest'],
    },
  ],
  [
    'a session that is handed over',
    {
      read: (value) => readHandover(value as JsonObject, 1, [], 1_000),
      sample: {
        openedAt: 1,
        dialect: '2.0',
        logLevel: 'info',
        subscriptions: [['files', 'file:///a']],
        mailbox: { answered: ['j'], before: [], batches: { b: ['1 {}'] } },
        stream: { id: 'n-1', count: 1, delivered: 1, settled: 1 },
      },
      optional: ['openedAt', 'dialect', 'logLevel', 'subscriptions', 'mailbox', 'stream'],
    },
  ],
]

describe.each(readers)('%s', (_name, { read, sample, optional }) => {
  const members = Object.keys(sample)

  it('is read as a node of this version wrote it', () => {
    expect(read(sample)).toMatchObject({ kind: 'read' })
  })

  it('is read with a member that only a newer version knows', () => {
    expect(read({ ...sample, zone: { of: 'a newer version' } })).toMatchObject({ kind: 'read' })
  })

  it.each([7, 'text', true, ['list']])('is not read from %j', (value) => {
    expect(read(value)).toMatchObject({ kind: 'unreadable', problem: expect.any(String) })
  })

  it.each(members)('is not read with a %s of another type', (member) => {
    expect(read({ ...sample, [member]: Symbol('no JSON') })).toMatchObject({ kind: 'unreadable' })
    expect(read({ ...sample, [member]: [[7]] })).toMatchObject({ kind: 'unreadable' })
  })

  it.each(members)('without %s', (member) => {
    const rest = Object.fromEntries(Object.entries(sample).filter(([name]) => name !== member))
    expect(read(rest)).toMatchObject({ kind: optional.includes(member) ? 'read' : 'unreadable' })
  })
})

test.each([
  ['a state', { state: 'paused' }],
  ['a purpose', { kind: 'hologram' }],
  ['a revision', { revision: '2099-01-01' }],
  ['an outcome', { outcome: { entangled: true } }],
  ['a dialect', { request: { ...record.request, dialect: '4.0' } }],
])('a job with %s that this version does not know is not read', (_what, other) => {
  expect(readJobRecord({ ...record, ...other })).toMatchObject({ kind: 'unreadable' })
})

test('a job keeps the members of a newer version, because it is written back', () => {
  const newer = { ...record, zone: 'a', request: { ...record.request, priority: 1 } }
  expect(readJobRecord(newer)).toEqual({ kind: 'read', value: newer })
  expect(readJobItem(newer)).toEqual({ kind: 'read', value: { key: keyOf(record), record: newer } })
})

test.each([null, 7, {}, [], { id: 7 }])('an item of the queue is not read from %j', (item) => {
  expect(readJobItem(item)).toMatchObject({ kind: 'unreadable' })
})

test('a stored record that cannot be read counts as removed and is reported; a removed one is not', async () => {
  const reported: unknown[] = []
  const fabric = createMemoryFabric(createMemoryBus())
  const keepMs = { pollable: 60_000, unpollable: () => 60_000 }
  const records = createStoredRecords(fabric, keepMs, (...about) => void reported.push(about))
  const store = fabric.store<never>('jobs', 60_000)
  await store.put('owner.j_1', { ...record, createdAt: 'today' } as never)
  await store.put('owner.j_2', { over: true } as never)
  await store.put('owner.j_3', record as never)
  expect(await records.find('owner.j_1')).toEqual({ kind: 'over' })
  expect(await records.find('owner.j_2')).toEqual({ kind: 'over' })
  expect(await records.find('owner.j_3')).toMatchObject({ kind: 'job' })
  expect(reported).toEqual([['job', 'owner', 'createdAt: Invalid input: expected number, received string']])
})

test.each([null, 7, { job: 'j_1' }, { job: 1, digest: 'd' }])(
  'an idempotency key with %j is claimed as if it were free, and a repeat is recognized',
  async (garbage) => {
    const reported: unknown[] = []
    const bus = createMemoryBus()
    const fabric: Fabric = createMemoryFabric(bus)
    const keys = createIdempotencyKeys(
      fabric,
      60_000,
      () => 1_000,
      (...about) => void reported.push(about),
    )
    await keys.claim(record, 'k')
    const store = fabric.store<never>('idempotency', 60_000)
    const [name = ''] = await store.keys(record.owner)
    await store.put(name, garbage as never)
    expect(await keys.claim(record, 'k')).toEqual({ kind: 'claimed' })
    expect(await keys.claim({ ...record, id: 'j_2' }, 'k')).toMatchObject({ kind: 'known', job: record.id })
    expect(reported).toEqual([['idempotency_key', record.owner, expect.any(String)]])
  },
)
