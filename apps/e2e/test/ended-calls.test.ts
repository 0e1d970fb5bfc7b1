import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@junctor/jsonrpc'
import { afterAll, expect } from 'vitest'
import { lean } from '../src/in-gateway.ts'
import { inStateless } from '../src/in-stateless.ts'
import { errorOf } from '../src/result-of.ts'
import { callUntil } from '../src/stateless-client.ts'
import { verifies } from '../src/verifies.ts'

const folder = mkdtempSync(join(tmpdir(), 'junctor-ended-'))
afterAll(() => rmSync(folder, { recursive: true }))

const hang: JsonObject = { name: 'lean__hang', arguments: {} }

/** The file in which a server records its calls, and how many of them have begun and were cancelled. */
function recorded() {
  const ends = join(folder, crypto.randomUUID())
  const count = (what: string): number => (existsSync(ends) ? readFileSync(ends, 'utf8').split(what).length - 1 : 0)
  return { ends, count: () => ({ began: count('began'), cancelled: count('cancelled') }) }
}

verifies('REL-7', { ways: ['http'], revisions: ['2025-11-25'] }, async (cell) => {
  const { ends, count } = recorded()
  const entry = cell.nodes === 2 ? { runsOn: 'workers' } : {}
  await inStateless(cell, { lean: lean({ ends }, entry) }, async ({ gateway, http, stateless }) => {
    const isAt = (began: number, cancelled: number) =>
      expect.poll(count, { timeout: 10_000 }).toEqual({ began, cancelled })

    // A client that can be asked: its request has a process of its own, which ends with the stream.
    const newer = await stateless({ capabilities: { elicitation: {} } })
    const gone = new AbortController()
    const hanging = callUntil(gateway.urls[0] as string, newer.declared(hang), gone.signal)
    await isAt(1, 0)
    gone.abort()
    await expect(hanging).rejects.toThrow(/aborted/)
    await isAt(1, 1)

    // The end of a session ends its process. A cancellation may be the last message before it, at another node.
    const ended = await http()
    await ended.send({ jsonrpc: '2.0', id: 'a', method: 'tools/call', params: hang })
    await isAt(2, 1)
    await ended.delete()
    await isAt(2, 2)
    const both = await http()
    for (const id of ['b', 7]) await both.send({ jsonrpc: '2.0', id, method: 'tools/call', params: hang })
    await isAt(4, 2)
    await both.notify('notifications/cancelled', { requestId: 7 })
    await both.delete()
    await isAt(4, 4)
  })
})

verifies(['MCP-1.6', 'MCP-2.6', 'REL-7'], { revisions: ['2025-11-25'] }, async (cell) => {
  const { ends, count } = recorded()
  await inStateless(cell, { lean: lean({ ends }, { timeout: '400ms' }) }, async ({ client, stateless }) => {
    const one = await client()
    for (const caller of [one, await stateless({ capabilities: { elicitation: {} } })]) {
      const late = await caller.request('tools/call', hang)
      expect(errorOf(late).data).toMatchObject({ reason: 'deadline_exceeded', backend: 'lean' })
    }
    await expect.poll(count, { timeout: 10_000 }).toEqual({ began: 2, cancelled: 2 })
    // The server has answered late. What it answers to this comes after that; on a busy machine, not always in time.
    await expect.poll(() => one.request('tools/call', { name: 'lean__echo', arguments: {} })).toHaveProperty('result')
    expect(JSON.stringify(one.received)).not.toContain('too late')
  })
})
