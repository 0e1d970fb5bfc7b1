import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonValue } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { followEvents } from './follow-events.ts'

test('lines that are no events of this version are left out, and do not end the stream or its place', async () => {
  const event = (timestamp: string): string => JSON.stringify({ timestamp, event_type: 'x' })
  const lines = [event('2026-01-01'), 'no json', 'null', '{"newer":1}', '{"timestamp":7}', event('2026-01-02')]
  const asked: string[] = []
  const again = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => again.listen(0, '127.0.0.1', resolve))
  const shown: JsonValue[] = []
  try {
    const ended = await followEvents({
      first: new Response(lines.map((line) => `${line}\n`).join('')),
      place: { url: `http://127.0.0.1:${(again.address() as AddressInfo).port}`, token: 't' },
      path: '/events?follow=true',
      show: (one) => void shown.push(one),
      report: { failed() {} },
      line: { show() {}, clear() {} },
      signal: new AbortController().signal,
    })
    expect(ended).toBe(false)
  } finally {
    again.close()
  }
  expect(shown).toMatchObject([{ timestamp: '2026-01-01' }, { timestamp: '2026-01-02' }])
  expect(asked).toEqual(['/events?follow=true&since=2026-01-02&limit=1000'])
})
