import { expect, test } from 'vitest'
import { payloadOf } from '@junctor/jsonrpc'
import { relatedTo, unrelated } from '../../shared/related-task.ts'
import { taskAsked } from './task.ts'
import { toolTraits, withTaskSupport } from '../../shared/tool-traits.ts'

test.each([
  [{}, { kind: 'none' }],
  [{ task: null }, { kind: 'none' }],
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

const plain = { capabilities: { tools: {} } }
const withTasks = { capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } } }

test.each([
  [undefined, plain, 'optional'],
  ['sometimes', plain, 'optional'],
  ['optional', plain, 'optional'],
  // A server without tasks can declare nothing else.
  ['forbidden', plain, 'optional'],
  ['forbidden', withTasks, 'forbidden'],
  [undefined, withTasks, 'optional'],
  ['required', plain, 'required'],
  ['required', withTasks, 'required'],
])('a tool that declares %j for tasks, of a server with %j, is shown as %s', (declared, server, shown) => {
  const execution = { other: 1, ...(declared !== undefined && { taskSupport: declared }) }
  const item = payloadOf({ name: 'a', execution })
  const traits = toolTraits(item, server)
  expect(traits).toEqual({ taskSupport: shown, repeatable: false })
  expect(withTaskSupport(item, traits).value()).toEqual({ name: 'a', execution: { other: 1, taskSupport: shown } })
})

test.each([
  [{}, false],
  [{ readOnlyHint: 1 }, false],
  [{ readOnlyHint: true }, true],
  [{ idempotentHint: true }, true],
  [{ idempotentHint: true, readOnlyHint: false }, true],
])('a tool with the annotations %j may run twice: %s', (annotations, repeatable) => {
  expect(toolTraits(payloadOf({ name: 'a', annotations }), plain).repeatable).toBe(repeatable)
})

test('the related task is added to a payload, and removed', () => {
  const whole = payloadOf({ a: 1 })
  const related = { a: 1, _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't' } } }
  expect(relatedTo(whole, 't').value()).toEqual(related)
  expect(relatedTo(undefined, 't').value()).toEqual({ _meta: related['_meta'] })
  const other = payloadOf({ ...related, _meta: { ...related['_meta'], own: 1 } })
  expect(relatedTo(other, 'u').value()).toEqual({
    a: 1,
    _meta: { own: 1, 'io.modelcontextprotocol/related-task': { taskId: 'u' } },
  })
  expect(unrelated(other).value()).toEqual({ a: 1, _meta: { own: 1 } })
  expect(unrelated(whole)).toBe(whole)
})
