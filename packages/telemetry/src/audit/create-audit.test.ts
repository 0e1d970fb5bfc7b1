import { expect, onTestFinished, test, vi } from 'vitest'
import type { TelemetryEvent } from '@junctor/contracts'
import { createAudit } from './create-audit.ts'

const call = {
  kind: 'request_finished',
  tenant: 'a',
  transport: 'http',
  method: 'tools/call',
  backend: 'files',
  tool: 'files__read',
  trace: 'a'.repeat(32),
  principal: '["api-key","bob"]',
  outcome: 'error',
  code: -32_000,
  origin: 'backend',
  reason: 'deadline_exceeded',
  durationMs: 12.6,
  backendMs: 12,
} as const satisfies TelemetryEvent

test('each action is recorded with its caller, one line each', () => {
  const lines: string[] = []
  vi.useFakeTimers({ now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const audit = createAudit((line) => lines.push(line))
  const session = { tenant: 'a', transport: 'http', session: 'abcdefabcdef' } as const
  audit({ kind: 'session_opened', ...session, principal: '["local","local"]', revision: '2025-11-25', client: 'c\n' })
  audit(call)
  audit({ ...call, tool: undefined })
  audit({ kind: 'access_refused', transport: 'http', tenant: 'a', reason: 'expired' })
  audit({ kind: 'session_closed', ...session, reason: 'deleted', durationMs: 5.2 })
  audit({ kind: 'node_started', node: 'n1' })
  const time = '1970-01-01T00:00:00.000Z'
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { time, action: 'session_opened', ...session, principal: 'local', revision: '2025-11-25', client: 'c\n' },
    {
      time,
      action: 'tool_call',
      tenant: 'a',
      principal: 'key bob',
      backend: 'files',
      tool: 'files__read',
      outcome: 'error',
      code: -32_000,
      reason: 'deadline_exceeded',
      trace_id: 'a'.repeat(32),
      duration_ms: 13,
    },
    { time, action: 'access_refused', tenant: 'a', transport: 'http', reason: 'expired' },
    { time, action: 'session_closed', ...session, reason: 'deleted', duration_ms: 5 },
  ])
  expect(lines.join('')).not.toContain('\n')
})

test('no secret that a client or a backend sends is recorded in the audit', () => {
  const lines: string[] = []
  const audit = createAudit((line) => lines.push(line))
  audit({ ...call, reason: 'token=canary' })
  const session = { tenant: 'a', transport: 'http', session: 'abcdefabcdef' } as const
  audit({ kind: 'session_opened', ...session, principal: 'key:bob', revision: '2025-11-25', client: 'Bearer canary' })
  expect(lines).toHaveLength(2)
  expect(lines.join('')).not.toContain('canary')
})

test('refused callers cannot fill the audit', () => {
  const lines: string[] = []
  vi.useFakeTimers({ now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const audit = createAudit((line) => lines.push(line))
  const refused = { kind: 'access_refused', transport: 'http', tenant: 'a', reason: 'missing' } as const
  for (let count = 0; count < 1_000; count += 1) audit(refused)
  audit(call)
  expect(lines).toHaveLength(101)
  vi.setSystemTime(60_000)
  audit(refused)
  audit(refused)
  const suppressed = lines.slice(101).map((line) => (JSON.parse(line) as { suppressed?: number }).suppressed)
  expect(suppressed).toEqual([900, undefined])
})
