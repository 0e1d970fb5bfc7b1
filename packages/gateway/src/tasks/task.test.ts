import { expect, test } from 'vitest'
import { payloadOf } from '@junctor/jsonrpc'
import { relatedTo, unrelated } from './related-task.ts'
import { taskAsked } from './task.ts'
import { offeredAsTask, toolTraits } from './tool-traits.ts'

test.each([
  [{}, { kind: 'none' }],
  [{ task: {} }, { kind: 'task', ttlMs: undefined }],
  [{ task: { ttl: null } }, { kind: 'task', ttlMs: undefined }],
  [{ task: { ttl: 5 } }, { kind: 'task', ttlMs: 5 }],
  [{ task: { ttl: 0 } }, { kind: 'bad' }],
  [{ task: { ttl: 'a' } }, { kind: 'bad' }],
  [{ task: true }, { kind: 'bad' }],
])('%j asks for %j', (params, asked) => {
  expect(taskAsked(payloadOf(params), '2025-11-25')).toMatchObject(asked)
  expect(taskAsked(payloadOf(params), '2025-06-18')).toEqual({ kind: 'none' })
})

test('a tool says how it may be run', () => {
  expect(toolTraits(payloadOf({ name: 'a' }))).toEqual({})
  expect(toolTraits(payloadOf({ execution: { taskSupport: 'sometimes' }, annotations: { readOnlyHint: 1 } }))).toEqual(
    {},
  )
  expect(toolTraits(payloadOf({ execution: { taskSupport: 'required' } }))).toEqual({ taskSupport: 'required' })
  expect(toolTraits(payloadOf({ annotations: { idempotentHint: true } }))).toEqual({ repeatable: true })
  expect(toolTraits(payloadOf({ annotations: { readOnlyHint: true } }))).toEqual({ repeatable: true })
})

test('a tool that says nothing of tasks is offered as one', () => {
  const other = { name: 'a', execution: { other: 1 } }
  expect(offeredAsTask(payloadOf(other)).value()).toEqual({
    name: 'a',
    execution: { other: 1, taskSupport: 'optional' },
  })
  const forbidden = payloadOf({ name: 'a', execution: { taskSupport: 'forbidden' } })
  expect(offeredAsTask(forbidden)).toBe(forbidden)
})

test('what says that it is of a task is told so, or not', () => {
  const plain = payloadOf({ a: 1 })
  const related = { a: 1, _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't' } } }
  expect(relatedTo(plain, 't').value()).toEqual(related)
  expect(relatedTo(undefined, 't').value()).toEqual({ _meta: related['_meta'] })
  const other = payloadOf({ ...related, _meta: { ...related['_meta'], own: 1 } })
  expect(relatedTo(other, 'u').value()).toEqual({
    a: 1,
    _meta: { own: 1, 'io.modelcontextprotocol/related-task': { taskId: 'u' } },
  })
  expect(unrelated(other).value()).toEqual({ a: 1, _meta: { own: 1 } })
  expect(unrelated(plain)).toBe(plain)
})
