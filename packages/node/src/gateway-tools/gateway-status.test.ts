import { expect, test } from 'vitest'
import type { NodeAbout } from '@junctor/gateway'
import { gatewayStatus } from './gateway-status.ts'
import { spacedJson } from './spaced-json.ts'

const alone = { node: 'ab12cd34', about: undefined }

test('the status is formatted as in the document', () => {
  const gateway = { name: 'mcp-n8n', version: '0.4.0', logLevel: 'info', timeoutMs: 30_000 }
  const backends = [{ name: 'chora-composer', state: 'up', prefix: 'chora', tools: 4 }] as const
  expect(spacedJson(gatewayStatus(gateway, backends, [alone]))).toBe(
    '{"gateway": {"name": "mcp-n8n", "version": "0.4.0", "config": {"log_level": "INFO", "debug": false, "backend_timeout": 30}}, "backends": {"chora-composer": {"status": "running", "namespace": "chora", "tool_count": 4}}}',
  )
})

test.each([
  ['starting', 'starting'],
  ['down', 'failed'],
  ['crash_looping', 'failed'],
] as const)('a backend that is %s is %s', (state, status) => {
  const gateway = { name: 'a', version: '1', logLevel: 'debug', timeoutMs: 1_500 }
  expect(gatewayStatus(gateway, [{ name: 'b', state, prefix: '', tools: 0 }], [alone])).toEqual({
    gateway: { name: 'a', version: '1', config: { log_level: 'DEBUG', debug: true, backend_timeout: 1.5 } },
    backends: { b: { status, namespace: '', tool_count: 0 } },
  })
})

test('the status of several nodes lists the backends of each, limited to the tenant', () => {
  const gateway = { name: 'a', version: '1', logLevel: 'info', timeoutMs: 30_000 }
  const up = { state: 'up', tools: 1 }
  const about: NodeAbout = {
    role: 'worker',
    name: 'tools',
    version: '2',
    startedAt: '2026-01-01T00:00:00.000Z',
    backends: { mine: up, theirs: up },
  }
  const mine = { name: 'mine', state: 'up', prefix: 'mine', tools: 1 } as const
  const status = gatewayStatus(gateway, [mine], [alone, { node: 'w1', about }])
  expect(status['nodes']).toEqual({
    ab12cd34: { role: 'unknown' },
    w1: { role: 'worker', name: 'tools', version: '2', started_at: '2026-01-01T00:00:00.000Z', backends: ['mine'] },
  })
})

test('JSON on one line keeps every JSON value', () => {
  const value = { 'a"b': [1, null, true, 'x, y: z', [], {}], gone: undefined }
  expect(spacedJson(value)).toBe('{"a\\"b": [1, null, true, "x, y: z", [], {}]}')
  expect(JSON.parse(spacedJson(value))).toEqual({ 'a"b': [1, null, true, 'x, y: z', [], {}] })
})
