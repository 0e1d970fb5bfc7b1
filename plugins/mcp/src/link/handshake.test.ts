import { type JsonValue, type Payload, payloadOf, requestId, type Response, type Scope } from '@junctor/plugin-sdk/link'
import { expect, test } from 'vitest'
import { initializeParams, secondOffer, readServerInfo, performHandshake } from './handshake.ts'

const capabilities = { roots: { listChanged: true }, sampling: {} }
const scope: Scope = { tenant: 't', principal: 'p', session: 's', capabilities, key: 'k' }
const leased: Scope = { ...scope, session: undefined }
const shared: Scope = { ...scope, principal: undefined, session: undefined }

const answered = (result: JsonValue): Response => ({
  kind: 'result',
  dialect: '2.0',
  id: requestId(1),
  result: payloadOf(result),
})

test('the handshake offers a revision and the client name of Junctor', () => {
  expect(initializeParams(scope, false, '2025-11-25').value()).toMatchObject({
    protocolVersion: '2025-11-25',
    clientInfo: { name: 'junctor', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
  })
})

test.each([
  ['one session', scope, false, scope.capabilities],
  // A server may keep roots for as long as its session lasts, so it must not learn those of one of several clients.
  ['every scope, where messages name their request', shared, true, { sampling: {} }],
  // Nothing announces changed roots of a client without a session.
  ['a client without a session', leased, true, { roots: {}, sampling: {} }],
  ['everyone, where they do not', shared, false, {}],
])('the handshake of %s declares what it can be asked', (_, linkScope, correlates, declared) => {
  expect(initializeParams(linkScope, correlates, '2025-11-25').value()).toHaveProperty('capabilities', declared)
})

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('a server of %s is accepted', (protocolVersion) => {
  const result = {
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'x', 'x-own': 1 },
    instructions: 'Hi',
  }
  expect(readServerInfo(answered(result))).toEqual({
    revision: protocolVersion,
    capabilities: { tools: {} },
    info: { name: 'x', 'x-own': 1 },
    instructions: 'Hi',
  })
})

test('members that a server leaves out are empty', () => {
  expect(readServerInfo(answered({ protocolVersion: '2024-11-05' }))).toEqual({
    revision: '2024-11-05',
    capabilities: {},
    info: {},
    instructions: undefined,
  })
})

test.each<[string, Response]>([
  ['no version', answered({})],
  ['an unknown version', answered({ protocolVersion: '2023-01-01' })],
  ['a version without a handshake', answered({ protocolVersion: '2026-07-28' })],
  ['no object', answered([])],
  ['an error', { kind: 'error', dialect: '2.0', id: requestId(1), error: { code: -32602, message: 'No' } }],
])('%s is refused', (_, response) => {
  expect(() => readServerInfo(response)).toThrow(/BACKEND_REFUSED/)
})

const refused = (code: number, data?: JsonValue): Response => ({
  kind: 'error',
  dialect: '2.0',
  id: requestId(1),
  error: { code, message: 'Unsupported protocol version', ...(data !== undefined && { data: payloadOf(data) }) },
})

test.each<[string, Response, string | undefined]>([
  ['an answer', answered({ protocolVersion: '2024-11-05' }), undefined],
  ['a refusal without a word', refused(-32602), '2024-11-05'],
  ['one with something else', refused(-32602, 'supports 2024-11-05'), '2024-11-05'],
  ['the example of the specification', refused(-32602, { supported: ['2024-11-05'], requested: 'x' }), '2024-11-05'],
  ['the newest of several', refused(-32602, { supported: ['2025-03-26', '2025-06-18', '2024-11-05'] }), '2025-06-18'],
  ['versions under another code', refused(-32000, { supported: ['2025-03-26', 7, '2030-01-01'] }), '2025-03-26'],
  ['none that is spoken here', refused(-32602, { supported: ['2023-01-01', '2026-07-28'] }), undefined],
  ['the revision that was offered already', refused(-32602, { supported: ['2025-11-25'] }), undefined],
  ['another error', refused(-32603), undefined],
])('after %s, the right thing is offered', (_, response, revision) => {
  expect(secondOffer(response, capabilities)).toBe(revision)
})

test.each([
  { elicitation: { form: {}, url: {} }, sampling: {} },
  { elicitation: { form: {} }, sampling: { tools: {} } },
])('a server that fails on the modes of capabilities is offered them without modes: %j', async (modes) => {
  const offers: unknown[] = []
  const answers = [refused(-32603), answered({ protocolVersion: '2025-06-18' })]
  const done = await performHandshake({ ...scope, capabilities: modes }, true, async (params) => {
    offers.push(params.value())
    return answers.shift() ?? refused(-32000)
  })
  expect(done.revision).toBe('2025-06-18')
  expect(offers).toMatchObject([{ protocolVersion: '2025-11-25' }, { protocolVersion: '2025-06-18' }])
  expect(offers[1]).toHaveProperty('capabilities', { elicitation: {}, sampling: {} })
})

test('a server that refuses the newest revision is offered another one, once', async () => {
  const offers: unknown[] = []
  const ask =
    (...answers: readonly Response[]) =>
    async (params: Payload): Promise<Response> =>
      answers[offers.push((params.value() as { protocolVersion: string }).protocolVersion) - 1] as Response
  const done = await performHandshake(scope, true, ask(refused(-32602), answered({ protocolVersion: '2024-11-05' })))
  expect(done.revision).toBe('2024-11-05')
  expect(offers.splice(0)).toEqual(['2025-11-25', '2024-11-05'])
  await expect(performHandshake(scope, true, ask(refused(-32602), refused(-32602)))).rejects.toThrow(/BACKEND_REFUSED/)
  expect(offers).toEqual(['2025-11-25', '2024-11-05'])
})

test('a server that refuses both offers is reported with its first reason', async () => {
  const answers = [refused(-32603), refused(-32000)]
  const modes = { elicitation: { form: {}, url: {} } }
  const done = performHandshake({ ...scope, capabilities: modes }, true, async () => answers.shift() ?? refused(-32001))
  await expect(done).rejects.toThrow('-32603')
  expect(answers).toEqual([])
})
