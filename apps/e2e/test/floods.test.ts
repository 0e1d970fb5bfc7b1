import { expect, vi } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { inGateway, lean } from '../src/in-gateway.ts'
import { resultOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

// Backends that write far more than others.

vi.setConfig({ testTimeout: 60_000 })

/** The numbers of log lines, and texts of warnings. */
function logged(messages: readonly JsonObject[]): {
  readonly lines: readonly number[]
  readonly warnings: readonly string[]
} {
  const params = messages.map((message) => message['params'] as JsonObject)
  const lines = params
    .filter(({ level }) => level === 'info')
    .map(({ data }) => Number.parseInt(JSON.stringify(data).slice(1), 10))
  return { lines, warnings: params.filter(({ level }) => level === 'warning').map(({ data }) => JSON.stringify(data)) }
}

verifies('LIM-13', {}, async (cell) => {
  const capabilities = { tools: { listChanged: true }, logging: {} }
  await inGateway(cell, { one: lean({ capabilities }) }, async ({ client }) => {
    const reader = await client()
    const call = async (lines: number) => {
      const before = reader.messagesOf('notifications/message').length
      const result = resultOf(await reader.request('tools/call', { name: 'one__logs', arguments: { lines } }))
      expect(JSON.stringify(result)).toContain('logged')
      return logged(reader.messagesOf('notifications/message').slice(before))
    }
    for (const lines of [1_000, 3_000]) {
      // oxlint-disable-next-line no-await-in-loop
      const got = await call(lines)
      expect(got.warnings).toEqual([])
      expect(got.lines).toEqual(Array.from({ length: lines }, (_, index) => index))
    }
  })
})
