import { expect, test } from 'vitest'
import { eventText } from './event-text.ts'

test('an event is one line', () => {
  const event = {
    timestamp: '2025-10-21T14:32:10.123456+00:00',
    trace_id: '550e8400-e29b-41d4-a716-446655440000',
    status: 'failure',
    event_type: 'gateway.tool_call',
    source: 'mcp-n8n',
    tool: 'chora:wait',
    duration_ms: 12.5,
    reason: 'the backend ended',
  }
  expect(eventText(event, false)).toBe(
    '2025-10-21T14:32:10.123 failure gateway.tool_call tool=chora:wait duration_ms=12.5 reason="the backend ended" trace=550e8400-e29b-41d4-a716-446655440000',
  )
})

test('nothing in an event moves the cursor, turns text round or adds a line', () => {
  const text = eventText({ tool: 'a\u202eb\u2028\u0085\u001b\n', 'n\u001b': 1 }, false)
  expect(text).toContain('tool="a\\u202eb\\u2028\\u0085\\u001b\\n"')
  expect(text).toContain('n\\u001b=1')
})
