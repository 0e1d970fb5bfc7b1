import type { JsonValue } from '@junctor/jsonrpc'
import { startHttpServer } from '@junctor/testkit/http'
import { expect, test } from 'vitest'
import { followEvents } from './follow-events.ts'

test('lines that are no events of this version are left out, and do not end the stream or its place', async () => {
  const event = (timestamp: string): string => JSON.stringify({ timestamp, event_type: 'x' })
  const lines = [event('2026-01-01'), 'no json', 'null', '{"newer":1}', '{"timestamp":7}', event('2026-01-02')]
  const asked: string[] = []
  const { origin, close } = await startHttpServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(404).end()
  })
  const shown: JsonValue[] = []
  try {
    const ended = await followEvents({
      first: new Response(lines.map((line) => `${line}\n`).join('')),
      place: { url: origin, token: 't' },
      path: '/events?follow=true',
      show: (one) => void shown.push(one),
      report: { failed() {} },
      line: { show() {}, clear() {} },
      signal: new AbortController().signal,
    })
    expect(ended).toBe(false)
  } finally {
    await close()
  }
  expect(shown).toMatchObject([{ timestamp: '2026-01-01' }, { timestamp: '2026-01-02' }])
  expect(asked).toEqual(['/events?follow=true&since=2026-01-02&limit=1000'])
})
