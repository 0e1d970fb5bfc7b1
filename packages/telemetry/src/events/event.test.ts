import { expect, test } from 'vitest'
import { readGatewayEvent } from './event.ts'

const event = {
  timestamp: '2025-10-21T14:32:10.123456+00:00',
  trace_id: '6f1d8a52-0c5b-4f2e-9d56-2b1f0b7a9c11',
  status: 'success',
  event_type: 'gateway.tool_call',
  source: 'junctor',
}

test.each([event, { ...event, tool: 'read' }, { ...event, event_type: 'gateway.of_a_later_version' }])(
  'an event of another node is read with all its members: %j',
  (value) => expect(readGatewayEvent(value)).toEqual({ kind: 'read', value }),
)

test.each([
  ['nothing', null],
  ['a number', 7],
  ['a list', []],
  ['a text', 'event'],
  ['one without a trace', { ...event, trace_id: undefined }],
  ['one whose time is a number', { ...event, timestamp: 1 }],
  ['one with a status that there is not', { ...event, status: 'maybe' }],
  ['one without a source', { ...event, source: null }],
])('%s is not read', (_what, value) => {
  expect(readGatewayEvent(value)).toEqual({ kind: 'unreadable', problem: expect.stringMatching(/expected/) })
})
