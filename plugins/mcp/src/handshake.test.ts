import type { Scope } from '@junctor/exchange'
import { type JsonValue, payloadOf, requestId, type Response } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { initializeParams, readServerInfo } from './handshake.ts'

const scope: Scope = { tenant: 't', principal: 'p', session: 's', capabilities: { roots: {}, sampling: {} }, key: 'k' }
const shared: Scope = { ...scope, principal: undefined, session: undefined }

const answered = (result: JsonValue): Response => ({
  kind: 'result',
  dialect: '2.0',
  id: requestId(1),
  result: payloadOf(result),
})

test('the newest revision with a handshake is offered, under the own name', () => {
  expect(initializeParams(scope, false).value()).toMatchObject({
    protocolVersion: '2025-11-25',
    clientInfo: { name: 'junctor', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
  })
})

test.each([
  ['one session', scope, false, scope.capabilities],
  ['everyone, where messages tell whose they are', shared, true, scope.capabilities],
  ['everyone, where they do not', shared, false, {}],
])('a link of %s declares its capabilities, or none', (_, whose, correlates, capabilities) => {
  expect(initializeParams(whose, correlates).value()).toHaveProperty('capabilities', capabilities)
})

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'a server of %s is spoken with',
  (protocolVersion) => {
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
  },
)

test('what a server leaves out is empty', () => {
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
