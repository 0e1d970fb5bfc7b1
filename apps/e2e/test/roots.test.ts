import { fileURLToPath } from 'node:url'
import { compiledOnce } from '@junctor/testkit'
import { expect } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { startHttpBackend } from '../fixtures/http-backend.ts'
import { inGateway } from '../src/in-gateway.ts'
import { textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'
import type { WireClient } from '../src/wire-client.ts'

const rootsServer = fileURLToPath(new URL('../fixtures/roots-server.ts', import.meta.url))
const roots = { command: process.execPath, args: [rootsServer], env: compiledOnce }

/** What the backend knows of its client. */
async function known(client: WireClient): Promise<JsonObject> {
  return JSON.parse(textOf(await client.request('tools/call', { name: 'roots__roots', arguments: {} }))) as JsonObject
}

/** What the tests read of an `initialize`. */
interface Hello {
  readonly method?: string
  readonly params?: { readonly capabilities?: JsonObject }
}

const at = (uri: string): JsonObject => ({ roots: [{ uri }] })

verifies('MCP-8.9', {}, async (cell) => {
  await inGateway(cell, { roots }, async ({ client }) => {
    // The lists are known when the second client comes: its call opens its link, and sets the level at once.
    const options = { capabilities: { roots: {} }, answers: { 'roots/list': () => at('file:///one') } }
    await known(await client(options))
    const one = await client(options)
    await one.request('logging/setLevel', { level: 'warning' })
    expect(await known(one)).toMatchObject({ known: [at('file:///one')] })
  })
})

verifies('MCP-8.10', {}, async (cell) => {
  await inGateway(cell, { roots }, async ({ client }) => {
    let uri = 'file:///before'
    const capabilities = { roots: { listChanged: true } }
    const one = await client({ capabilities, answers: { 'roots/list': () => at(uri) } })
    await expect.poll(() => known(one)).toMatchObject({ known: [at('file:///before')] })
    await one.request('tools/call', { name: 'roots__hang', arguments: {}, task: { ttl: 60_000 } })
    await expect.poll(() => known(one)).toMatchObject({ hanging: 1 })
    uri = 'file:///after'
    await one.notify('notifications/roots/list_changed')
    await expect.poll(() => one.messagesOf('roots/list')).toHaveLength(2)
    await expect.poll(() => known(one)).toMatchObject({ known: [at('file:///before'), at('file:///after')] })
  })
})

verifies('MCP-8.11', { ways: ['http'], revisions: ['2025-11-25'] }, async (cell) => {
  const declaredWith = async (isolation: string): Promise<unknown> => {
    const backend = await startHttpBackend({ answers: 'json' })
    try {
      await inGateway(cell, { b: { ...backend.entry, isolation } }, async ({ client }) => {
        const one = await client({ capabilities: { roots: { listChanged: true }, sampling: {} } })
        await one.request('tools/list')
      })
      const opened = backend.received.flatMap(({ body }) => {
        const { method, params = {} } = (body ?? {}) as Hello
        return method === 'initialize' ? [params.capabilities ?? {}] : []
      })
      // The gateway also opens links of its own, which declare nothing.
      return opened.find(({ sampling }) => sampling !== undefined)
    } finally {
      await backend.close()
    }
  }
  expect(await declaredWith('session')).toEqual({ roots: { listChanged: true }, sampling: {} })
  expect(await declaredWith('tenant')).toEqual({ sampling: {} })
  expect(await declaredWith('shared')).toEqual({ sampling: {} })
})
