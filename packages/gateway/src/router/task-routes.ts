import type { Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import type { Call } from '../upstream/calls/call.ts'
import { failed } from '../upstream/calls/failed.ts'
import type { JobDesk } from '../jobs/desk/job-desk.ts'
import { type JobRecord, keyOf, ownerOf } from '../jobs/record/job-record.ts'
import { outcomeOf } from '../jobs/record/job-outcome.ts'
import type { MethodRoute } from './method-route.ts'
import { cursorOf, unknownCursor } from './list-cursor.ts'
import { textParam } from './params.ts'
import { isUnauthenticated } from '../shared/is-unauthenticated.ts'
import { relatedTo } from '../shared/related-task.ts'
import { taskOf, taskStatus } from './tasks/task.ts'
import { unknownTask } from './tasks/unknown-task.ts'

/** What the routes of `tasks/*` need. */
export interface TaskParts {
  readonly jobs: JobDesk
  /** Tasks on one page of a list. */
  readonly pageItems: number
}

/** `tasks/get`: the state of a task. */
export function taskGetRoute({ jobs }: TaskParts): MethodRoute {
  return onTask(async (call, key) => {
    const record = await taskIn(jobs, key)
    return record === undefined ? unknownTask(call) : { kind: 'complete', result: payloadOf(taskOf(record)) }
  })
}

/**
 * `tasks/result`: the exact result of the call, as soon as it is there. Questions of the task go to the client
 * meanwhile (2025-11-25, Tasks, "Result Retrieval", "Input Required Status").
 */
export function taskResultRoute({ jobs }: TaskParts): MethodRoute {
  return onTask(async (call, key) => {
    if ((await taskIn(jobs, key)) === undefined) return unknownTask(call)
    const record = await jobs.wait(key, call.exchange)
    if (record?.outcome === undefined) return unknownTask(call)
    const outcome = outcomeOf(record.outcome)
    if (outcome.kind === 'error') return outcome
    return { kind: 'complete', result: relatedTo(outcome.result, record.id) }
  })
}

/** `tasks/cancel`: cancels an unfinished task; a finished task is an error. */
export function taskCancelRoute({ jobs }: TaskParts): MethodRoute {
  return onTask(async (call, key) => {
    if ((await taskIn(jobs, key)) === undefined) return unknownTask(call)
    const cancelled = await jobs.cancel(key)
    if (cancelled.kind === 'unknown') return unknownTask(call)
    const task = taskOf(cancelled.record)
    if (cancelled.kind === 'cancelled') return { kind: 'complete', result: payloadOf(task) }
    const message = `Cannot cancel a task that is over: it is ${taskStatus(cancelled.record.state)}`
    return failed(call, 'invalid_params', { message })
  })
}

/**
 * `tasks/list`: the caller's tasks, oldest first, page by page. Callers without credentials are one principal but many
 * clients, so for them the method does not exist: each reaches its tasks by their ids alone (2025-11-25, Tasks, "Task
 * Isolation and Access Control").
 */
export function taskListRoute({ jobs, pageItems }: TaskParts): MethodRoute {
  return async (call) => {
    if (isUnauthenticated(call.exchange.context.principal)) return unlisted(call)
    const cursor = cursorOf(call.request)
    const after = cursor === undefined ? '' : readCursor(cursor)
    if (after === undefined) return unknownCursor(call)
    const records = await jobs.ofOwner(ownerOf(call.exchange.context))
    const places = records.filter(({ kind }) => kind === 'task').map((record) => ({ record, place: placeOf(record) }))
    const rest = places.filter(({ place }) => place > after).toSorted((a, b) => (a.place < b.place ? -1 : 1))
    const page = rest.slice(0, pageItems)
    const last = page.at(-1)
    const nextCursor = last !== undefined && rest.length > page.length ? writeCursor(last.place) : undefined
    const tasks = page.map(({ record }) => taskOf(record))
    return { kind: 'complete', result: payloadOf({ tasks, ...(nextCursor !== undefined && { nextCursor }) }) }
  }
}

function onTask(answer: (call: Call, key: string) => Promise<Outcome>): MethodRoute {
  return (call) => {
    const read = textParam(call, 'taskId')
    if (read.kind === 'bad') return read.outcome
    return answer(call, keyOf({ owner: ownerOf(call.exchange.context), id: read.text }))
  }
}

async function taskIn(jobs: JobDesk, key: string): Promise<JobRecord | undefined> {
  const record = await jobs.read(key)
  return record?.kind === 'task' ? record : undefined
}

function unlisted(call: Call): Outcome {
  const { method } = call.request
  const message = `Method not found: ${method} needs credentials that say whose tasks to list; tasks/get takes the id of a task`
  return failed(call, 'method_not_found', { name: method, message })
}

/** The position of a task in creation order; the id distinguishes tasks of the same moment. */
function placeOf({ createdAt, id }: JobRecord): string {
  return `${createdAt.toString().padStart(16, '0')} ${id}`
}

function writeCursor(place: string): string {
  return Buffer.from(place).toString('base64url')
}

function readCursor(cursor: unknown): string | undefined {
  if (typeof cursor !== 'string') return undefined
  const place = Buffer.from(cursor, 'base64url').toString()
  return /^[0-9]{16} j_[\w-]{22}$/.test(place) ? place : undefined
}
