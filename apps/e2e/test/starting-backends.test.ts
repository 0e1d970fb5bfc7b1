import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@junctor/jsonrpc'
import { afterAll, expect, vi } from 'vitest'
import { lean, statelessChild } from '../src/in-gateway.ts'
import { inStateless } from '../src/in-stateless.ts'
import { errorOf, namesOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

const everywhere = { revisions: ['2025-11-25'] } as const
// Lists do not wait for these backends.
const limits = { startWait: '50ms' }
const folder = mkdtempSync(join(tmpdir(), 'junctor-start-'))
afterAll(() => rmSync(folder, { recursive: true }))

vi.setConfig({ testTimeout: 60_000 })

const call = (name: string): JsonObject => ({ name, arguments: { text: 'early' } })

/** Requests for something of two backends, of which one has no prefix. */
const requests = [
  ['tools/call', call('echo')],
  ['tools/call', call('slow__echo')],
  ['prompts/get', { name: 'greet' }],
  ['prompts/get', { name: 'slow__greet' }],
] as const

function backendsThat(options: object): Readonly<Record<string, object>> {
  const offers = {
    capabilities: { tools: { listChanged: true }, prompts: {} },
    prompts: [{ name: 'greet' }],
    ...options,
  }
  return { bare: lean(offers, { prefix: '' }), slow: lean(offers) }
}

verifies('REL-6', everywhere, async (cell) => {
  const waitsFor = join(folder, crypto.randomUUID())
  await inStateless(
    cell,
    backendsThat({ waitsFor }),
    async ({ client, stateless }) => {
      const clients = [await client(), await stateless()] as const
      const early = clients.flatMap((one) => requests.map(([method, params]) => one.request(method, params)))
      // A list is answered without the backends.
      expect(namesOf(await clients[0].request('tools/list'))).toEqual([])
      writeFileSync(waitsFor, '')
      for (const answer of await Promise.all(early)) expect(answer).toHaveProperty('result')
    },
    { limits },
  )
})

verifies('REL-6', everywhere, async (cell) => {
  await inStateless(
    cell,
    backendsThat({ dead: true }),
    async ({ client, stateless }) => {
      for (const one of [await client(), await stateless()]) {
        for (const [method, params] of requests) {
          const { data } = errorOf(await one.request(method, params))
          expect(data).toMatchObject({
            reason: 'backend_unavailable',
            retryable: true,
            retryAfterMs: expect.any(Number),
          })
        }
      }
    },
    { limits },
  )
})

/** Makes a program of Node start so slowly that its gateway has offered it a handshake meanwhile. */
const slowly = 'data:text/javascript,Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,1500)'

verifies('REL-6', { ways: ['http'], revisions: ['2025-11-25'] }, async (cell) => {
  const { args, ...child } = statelessChild({ prefix: '' }) as { args: readonly string[] }
  await inStateless(
    cell,
    { newer: { ...child, args: ['--import', slowly, ...args] } },
    async ({ client, stateless }) => {
      for (const one of [await stateless(), await client()]) {
        const answer = await one.request('tools/call', { name: 'echo', arguments: { text: 'Grüße' } })
        expect(textOf(answer)).toBe('Grüße')
      }
    },
    { limits },
  )
})
