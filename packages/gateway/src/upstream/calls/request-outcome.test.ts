import { describe, expect, it } from 'vitest'
import type { Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { requestOutcome } from './request-outcome.ts'

const complete = (result: object): Outcome => ({ kind: 'complete', result: payloadOf(result as never) })
const failure = (code: number, reason?: string): Outcome => ({
  kind: 'error',
  error: { code, message: 'no', ...(reason !== undefined && { data: payloadOf({ reason }) }) },
})

describe('requestOutcome', () => {
  it.each([
    ['a result', 'tools/call', complete({ content: [] }), undefined, true, 'success', undefined, undefined],
    [
      'a result with isError',
      'tools/call',
      complete({ isError: true }),
      undefined,
      true,
      'tool_error',
      undefined,
      'backend',
    ],
    [
      'isError of something that is no tool',
      'prompts/get',
      complete({ isError: true }),
      undefined,
      true,
      'success',
      undefined,
      undefined,
    ],
    ["a backend's own error", 'tools/call', failure(-32_602), undefined, true, 'error', -32_602, 'backend'],
    [
      "a reason of a backend's own",
      'tools/call',
      failure(-32_602, 'tired'),
      undefined,
      true,
      'error',
      -32_602,
      'backend',
    ],
    ['an error before any backend', 'tools/call', failure(-32_601), undefined, false, 'error', -32_601, 'client'],
    ['an unknown tool', 'tools/call', failure(-32_602, 'unknown_tool'), undefined, false, 'error', -32_602, 'client'],
    [
      'a backend that is down',
      'tools/call',
      failure(-32_000, 'backend_unavailable'),
      undefined,
      true,
      'error',
      -32_000,
      'backend',
    ],
    ['a full queue', 'tools/call', failure(-32_000, 'overloaded'), undefined, true, 'error', -32_000, 'gateway'],
    [
      'a deadline of the backend',
      'tools/call',
      failure(-32_000, 'deadline_exceeded'),
      undefined,
      true,
      'deadline',
      -32_000,
      'backend',
    ],
    ['the end of all deadlines', 'tools/call', failure(-32_000), 'deadline', true, 'deadline', undefined, undefined],
    ['a cancel', 'tools/call', complete({}), 'cancelled', true, 'cancelled', undefined, undefined],
    ['a session that ended', 'tools/call', complete({}), 'session_ended', true, 'ended', undefined, undefined],
  ] as const)('%s', (_name, method, outcome, ended, reached, expected, code, origin) => {
    expect(requestOutcome(method, outcome, ended, reached)).toMatchObject({ outcome: expected, code, origin })
  })
})
