import type { JsonObject } from '@junctor/jsonrpc'
import { describe, expect, test } from 'vitest'
import type { Revision } from '../revision.ts'
import { judgeClientRequest } from './ask-gate.ts'

const form = (fields: JsonObject = {}): JsonObject => ({
  message: 'Who?',
  requestedSchema: { type: 'object', properties: fields },
})
const url = { mode: 'url', message: 'Sign in', url: 'https://example.com', elicitationId: 'e1' }
const text = { type: 'text', text: 'hi' }
const sampling = (more: JsonObject = {}): JsonObject => ({
  messages: [{ role: 'user', content: text }],
  maxTokens: 9,
  ...more,
})
const multiple = { colours: { type: 'array', items: { type: 'string', enum: ['red'] } } }
const titled = { colour: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }] } }
const toolUse = {
  messages: [{ role: 'assistant', content: [text, { type: 'tool_use', id: '1', name: 'x', input: {} }] }],
}

describe('is allowed', () => {
  test.each<[string, string, JsonObject | undefined, JsonObject, Revision]>([
    ['a ping', 'ping', undefined, {}, '2024-11-05'],
    ['roots', 'roots/list', undefined, { roots: {} }, '2024-11-05'],
    ['sampling', 'sampling/createMessage', sampling(), { sampling: {} }, '2024-11-05'],
    [
      'sampling with tools',
      'sampling/createMessage',
      sampling({ tools: [] }),
      { sampling: { tools: {} } },
      '2025-11-25',
    ],
    ['tool content', 'sampling/createMessage', toolUse, { sampling: { tools: {} } }, '2025-11-25'],
    ['a form for {}', 'elicitation/create', form(), { elicitation: {} }, '2025-06-18'],
    [
      'a form that says so',
      'elicitation/create',
      { ...form(), mode: 'form' },
      { elicitation: { form: {} } },
      '2025-11-25',
    ],
    [
      'a choice with titles, which has an older form',
      'elicitation/create',
      form(titled),
      { elicitation: {} },
      '2025-06-18',
    ],
    ['a choice of several', 'elicitation/create', form(multiple), { elicitation: {} }, '2025-11-25'],
    ['a URL', 'elicitation/create', url, { elicitation: { url: {} } }, '2025-11-25'],
    ['a task', 'tasks/get', { taskId: 't' }, { tasks: {} }, '2025-11-25'],
    ['tasks', 'tasks/list', {}, { tasks: { list: {} } }, '2025-11-25'],
  ])('%s', (_name, method, params, capabilities, revision) => {
    expect(judgeClientRequest(method, params, capabilities, revision)).toEqual({ ok: true })
  })
})

describe('is refused as a method that the client does not support', () => {
  test.each<[string, string, JsonObject | undefined, JsonObject, Revision]>([
    ['roots undeclared', 'roots/list', undefined, {}, '2025-11-25'],
    ['sampling undeclared', 'sampling/createMessage', sampling(), { elicitation: {} }, '2025-11-25'],
    ['sampling: true', 'sampling/createMessage', sampling(), { sampling: true }, '2025-11-25'],
    ['elicitation undeclared', 'elicitation/create', form(), {}, '2025-11-25'],
    ['elicitation before it was there', 'elicitation/create', form(), { elicitation: {} }, '2025-03-26'],
    ['tasks without list', 'tasks/list', {}, { tasks: {} }, '2025-11-25'],
    ['tasks before they were there', 'tasks/get', {}, { tasks: {} }, '2025-06-18'],
    ['a ping without a handshake', 'ping', undefined, {}, '2026-07-28'],
    ['a request for servers', 'tools/call', { name: 'x' }, { roots: {}, sampling: {} }, '2025-11-25'],
    ['an invented request', 'constructor', {}, { roots: {} }, '2025-11-25'],
  ])('%s', (_name, method, params, capabilities, revision) => {
    const verdict = judgeClientRequest(method, params, capabilities, revision)
    expect(verdict).toMatchObject({
      ok: false,
      situation: 'ask_not_supported',
      message: expect.stringContaining(method),
    })
  })
})

describe('is refused as a form of the request that the client does not support', () => {
  const url11 = { elicitation: { url: {} } }
  test.each<[string, string, JsonObject, JsonObject, Revision]>([
    ['a URL for {}', 'elicitation/create', url, { elicitation: {} }, '2025-11-25'],
    ['a URL for forms', 'elicitation/create', url, { elicitation: { form: {} } }, '2025-11-25'],
    ['a URL before it was there', 'elicitation/create', url, { elicitation: { form: {}, url: {} } }, '2025-06-18'],
    ['a form for URLs', 'elicitation/create', form(), url11, '2025-11-25'],
    ['an invented mode', 'elicitation/create', { ...form(), mode: 'voice' }, { elicitation: {} }, '2025-11-25'],
    ['a choice of several for 2025-06-18', 'elicitation/create', form(multiple), { elicitation: {} }, '2025-06-18'],
    ['tools undeclared', 'sampling/createMessage', sampling({ tools: [] }), { sampling: {} }, '2025-11-25'],
    ['toolChoice undeclared', 'sampling/createMessage', sampling({ toolChoice: {} }), { sampling: {} }, '2025-11-25'],
    ['tool content undeclared', 'sampling/createMessage', toolUse, { sampling: {} }, '2025-11-25'],
    ['tools before they were there', 'sampling/createMessage', toolUse, { sampling: { tools: {} } }, '2025-06-18'],
  ])('%s', (_name, method, params, capabilities, revision) => {
    expect(judgeClientRequest(method, params, capabilities, revision)).toMatchObject({
      ok: false,
      situation: 'ask_mode_not_supported',
    })
  })
})
