import { expect, it } from 'vitest'
import { type JsonObject, payloadOf } from '@junctor/jsonrpc'
import { insistsOnTasks, readBackendTask, readStartedTask, takingTasks } from './extension-calls.ts'

const tasks = 'io.modelcontextprotocol/tasks'

it.each([
  [{ status: 'working' }, { kind: 'working', pollMs: 1_000 }],
  [
    { status: 'working', pollIntervalMs: 1 },
    { kind: 'working', pollMs: 100 },
  ],
  [
    { status: 'working', pollIntervalMs: 9_000_000 },
    { kind: 'working', pollMs: 30_000 },
  ],
  [
    { status: 'working', pollIntervalMs: null },
    { kind: 'working', pollMs: 1_000 },
  ],
  [{ status: 'invented' }, { kind: 'working' }],
  [null, { kind: 'working' }],
  [{ status: 'cancelled' }, { kind: 'cancelled' }],
  [{ status: 'completed' }, { kind: 'bad' }],
  [{ status: 'failed' }, { kind: 'over', outcome: { kind: 'error', error: { code: -32_603 } } }],
  [
    { status: 'failed', error: { code: 'x', message: 5 } },
    { kind: 'over', outcome: { error: { code: -32_603 } } },
  ],
  [
    { status: 'failed', error: { code: 7, message: 'm' } },
    { kind: 'over', outcome: { error: { code: 7, message: 'm' } } },
  ],
])('reads the task %j', (task, expected) => {
  expect(readBackendTask(payloadOf(task))).toMatchObject(expected)
})

it('a task that asks what is no request is bad, and one that needs no input asks nothing', () => {
  const question = { method: 'roots/list' }
  const read = (status: string, inputRequests: JsonObject): unknown =>
    readBackendTask(payloadOf({ status, inputRequests }))
  expect(read('input_required', { a: question })).toMatchObject({ kind: 'working', questions: [['a', question]] })
  expect(read('input_required', { a: 'x' })).toMatchObject({ kind: 'bad', message: expect.stringContaining('"x"') })
  expect(read('input_required', { a: { ...question, params: 'x' } })).toMatchObject({ kind: 'bad' })
  expect(read('working', { a: 'x' })).toMatchObject({ kind: 'working', questions: [] })
})

it('reads the result of a completed task without its type', () => {
  const read = readBackendTask(payloadOf({ status: 'completed', result: { resultType: 'complete', content: [] } }))
  expect(read.kind === 'over' && read.outcome.kind === 'complete' && read.outcome.result.value()).toEqual({
    content: [],
  })
})

it.each([
  [
    { resultType: 'task', taskId: 't', ttlMs: 5 },
    { taskId: 't', ttlMs: 5 },
  ],
  [
    { resultType: 'task', taskId: 't', ttlMs: null },
    { taskId: 't', ttlMs: undefined },
  ],
  [{ resultType: 'task', taskId: 5 }, undefined],
  [{ resultType: 'complete', taskId: 't' }, undefined],
  [null, undefined],
])('reads %j as a started task', (result, expected) => {
  expect(readStartedTask({ kind: 'complete', result: payloadOf(result) })).toEqual(expected)
})

it.each([
  [-32_021, { requiredCapabilities: { extensions: { [tasks]: {} } } }, true],
  [-32_003, { requiredCapabilities: { extensions: { [tasks]: {} } } }, true],
  [-32_021, { requiredCapabilities: { sampling: {} } }, false],
  [-32_021, null, false],
  [-32_602, { requiredCapabilities: { extensions: { [tasks]: {} } } }, false],
])('an error %i with %j insists on a task: %s', (code, data, insists) => {
  expect(insistsOnTasks({ kind: 'error', error: { code, message: '', data: payloadOf(data) } })).toBe(insists)
})

it('declares tasks for a request, and keeps its other declarations', () => {
  const params = takingTasks(payloadOf({ name: 'a', _meta: { own: 1 } }))
  expect(params.value()).toEqual({
    name: 'a',
    _meta: { own: 1, 'io.modelcontextprotocol/clientCapabilities': { extensions: { [tasks]: {} } } },
  })
})
