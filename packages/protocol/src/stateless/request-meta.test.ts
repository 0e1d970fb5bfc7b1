import type { JsonObject } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { readRequestMeta } from './request-meta.ts'

const prefix = 'io.modelcontextprotocol/'

function metaWith(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [prefix + name, value ?? null]))
}

test('reads what a client declares', () => {
  const meta = metaWith({
    protocolVersion: '2026-07-28',
    clientInfo: { name: 'x', version: '1' },
    clientCapabilities: { elicitation: {} },
    logLevel: 'warning',
  })
  expect(readRequestMeta(meta)).toEqual({
    kind: 'declared',
    version: '2026-07-28',
    info: { name: 'x', version: '1' },
    capabilities: { elicitation: {} },
    logLevel: 'warning',
  })
})

test.each([{}, { clientInfo: null, logLevel: null }])(
  'a client need not describe itself, nor want log messages: %j',
  (rest) => {
    expect(readRequestMeta(metaWith({ protocolVersion: '1900-01-01', clientCapabilities: {}, ...rest }))).toEqual({
      kind: 'declared',
      version: '1900-01-01',
      info: {},
      capabilities: {},
      logLevel: undefined,
    })
  },
)

test.each([[undefined], [{}], [{ progressToken: 1 }], [{ [`${prefix}logLevel`]: 'info' }]])(
  '%j is of an older revision',
  (meta) => {
    expect(readRequestMeta(meta)).toEqual({ kind: 'absent' })
  },
)

test.each([
  ['missing', 'protocolVersion', { clientCapabilities: {} }],
  ['invalid', 'protocolVersion', { protocolVersion: 1, clientCapabilities: {} }],
  ['invalid', 'protocolVersion', { protocolVersion: null, clientCapabilities: {} }],
  ['missing', 'protocolVersion', { clientInfo: {} }],
  ['missing', 'clientCapabilities', { protocolVersion: '2026-07-28' }],
  ['invalid', 'clientCapabilities', { protocolVersion: '2026-07-28', clientCapabilities: null }],
  ['invalid', 'clientCapabilities', { protocolVersion: '2026-07-28', clientCapabilities: [] }],
  ['invalid', 'clientInfo', { protocolVersion: '2026-07-28', clientCapabilities: {}, clientInfo: 'x' }],
  ['invalid', 'logLevel', { protocolVersion: '2026-07-28', clientCapabilities: {}, logLevel: 'loud' }],
  ['invalid', 'logLevel', { protocolVersion: '2026-07-28', clientCapabilities: {}, logLevel: 0 }],
])('calls %s and names %s, in %j', (kind, key, members) => {
  expect(readRequestMeta(metaWith(members))).toEqual({
    kind,
    message: expect.stringContaining(`_meta["${prefix}${key}"]`),
  })
})
