import type { Origin } from '@junctor/contracts'
import { payloadFromText, requestId } from '@junctor/jsonrpc'
import { mcpProfile } from '@junctor/protocol'
import { expect, it } from 'vitest'
import { readStateless } from './read-stateless.ts'

const prefix = 'io.modelcontextprotocol/'
const from: Origin = {
  transport: 'websocket',
  identity: {
    kind: 'identity',
    tenant: { name: 'default', profile: mcpProfile },
    principal: { issuer: 'local', subject: 'local', key: 'local' },
  },
  session: undefined,
  revision: undefined,
  dialect: '2.0',
}

const read = (name: string) => {
  const _meta = {
    [`${prefix}protocolVersion`]: '2026-07-28',
    [`${prefix}clientInfo`]: { name },
    [`${prefix}clientCapabilities`]: {},
  }
  const params = payloadFromText(JSON.stringify({ _meta }))
  return readStateless({ kind: 'request', dialect: '2.0', id: requestId(1), method: 'tools/list', params }, from)
}

it('a client may describe itself, but not at any length, because its jobs keep that', () => {
  expect(read('c')).toMatchObject({ kind: 'stateless', info: { name: 'c' } })
  expect(read('x'.repeat(100_000))).toMatchObject({
    kind: 'refused',
    situation: 'meta_invalid',
    details: { message: expect.stringContaining('at most 65536 characters') as string },
  })
})
