import { expect, test } from 'vitest'
import { gatewayStatus } from './gateway-status.ts'
import { spacedJson } from './spaced-json.ts'

test('the status reads as the document prints it', () => {
  const gateway = { name: 'mcp-n8n', version: '0.4.0', logLevel: 'info', timeoutMs: 30_000 }
  const backends = [{ name: 'chora-composer', state: 'up', prefix: 'chora', tools: 4 }] as const
  expect(spacedJson(gatewayStatus(gateway, backends))).toBe(
    '{"gateway": {"name": "mcp-n8n", "version": "0.4.0", "config": {"log_level": "INFO", "debug": false, "backend_timeout": 30}}, "backends": {"chora-composer": {"status": "running", "namespace": "chora", "tool_count": 4}}}',
  )
})

test.each([
  ['starting', 'starting'],
  ['down', 'failed'],
  ['crash_looping', 'failed'],
] as const)('a backend that is %s is %s', (state, status) => {
  const gateway = { name: 'a', version: '1', logLevel: 'debug', timeoutMs: 1_500 }
  expect(gatewayStatus(gateway, [{ name: 'b', state, prefix: '', tools: 0 }])).toEqual({
    gateway: { name: 'a', version: '1', config: { log_level: 'DEBUG', debug: true, backend_timeout: 1.5 } },
    backends: { b: { status, namespace: '', tool_count: 0 } },
  })
})

test('JSON on one line keeps what JSON can hold', () => {
  const value = { 'a"b': [1, null, true, 'x, y: z', [], {}], gone: undefined }
  expect(spacedJson(value)).toBe('{"a\\"b": [1, null, true, "x, y: z", [], {}]}')
  expect(JSON.parse(spacedJson(value))).toEqual({ 'a"b': [1, null, true, 'x, y: z', [], {}] })
})
