import { payloadFromText, requestId } from '@junctor/jsonrpc'
import { mcpProfile } from '@junctor/protocol'
import { expect, it } from 'vitest'
import { readInitialize } from './initialize.ts'

const read = (clientInfo: object | null, capabilities: unknown = {}) => {
  const params = payloadFromText(JSON.stringify({ protocolVersion: '2025-11-25', capabilities, clientInfo }))
  const request = { kind: 'request', dialect: '2.0', id: requestId(1), method: 'initialize', params } as const
  return readInitialize(request, mcpProfile)
}

it('a client may describe itself, but not at any length, because each session keeps that', () => {
  const info = { name: 'c', icons: [{ src: `data:image/png;base64,${'A'.repeat(20_000)}` }] }
  expect(read(info)).toMatchObject({ kind: 'opening', info })
  expect(read({ ...info, title: 'x'.repeat(100_000) })).toEqual({
    kind: 'bad',
    message: expect.stringContaining('at most 65536 characters'),
  })
})

it('capabilities and a description of null are none, and of another kind a fault', () => {
  expect(read(null, null)).toMatchObject({ kind: 'opening', info: {}, capabilities: {} })
  expect(read([])).toMatchObject({ kind: 'bad', message: expect.stringContaining('"clientInfo"') })
  expect(read({}, 0)).toMatchObject({ kind: 'bad', message: expect.stringContaining('"capabilities"') })
})
