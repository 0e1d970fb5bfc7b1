import { expect } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { demo, inGateway, lean } from '../src/in-gateway.ts'
import { resultOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

verifies('MCP-7.1', {}, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ client }) => {
    const one = await client()
    expect(resultOf(await one.request('ping'))).toEqual({})
    expect(resultOf(await one.request('ping', {}))).toEqual({})
  })
})

verifies(['MCP-7.2', 'MCP-7.3', 'MCP-4.6', 'MCP-4.8'], {}, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ client }) => {
    const one = await client()
    for (const progressToken of [7, '7', 'ü']) {
      const id = `with ${typeof progressToken} ${progressToken}`
      const call = { name: 'demo__progress', arguments: { steps: 3, delay: 1 }, _meta: { progressToken } }
      await one.request('tools/call', call, id)
      const updates = one.received.filter(
        ({ message: { params } }) => (params as JsonObject | undefined)?.['progressToken'] === progressToken,
      )
      expect(updates.map(({ message: { params } }) => (params as JsonObject)['progress'])).toEqual([1, 2, 3])
      // The answer follows its progress, on the same stream.
      const answer = one.received.find(({ message }) => message['id'] === id)
      expect(updates.map(({ stream }) => stream)).toEqual([answer?.stream, answer?.stream, answer?.stream])
      expect(one.received.indexOf(answer as (typeof updates)[0])).toBeGreaterThan(
        one.received.indexOf(updates[2] as (typeof updates)[0]),
      )
    }
    const before = one.received.length
    await one.request('tools/call', { name: 'demo__progress', arguments: { steps: 2, delay: 1 } })
    expect(one.received.length).toBe(before + 1)
  })
})

verifies('MCP-7.4', {}, async (cell) => {
  await inGateway(cell, { lean: lean() }, async ({ client }) => {
    const [one, other] = [await client(), await client()]
    await one.send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'lean__hang', arguments: {} } })
    const log = async () => textOf(await one.request('tools/call', { name: 'lean__received', arguments: {} }))
    // A client cannot cancel the request of another session with the same id.
    await other.notify('notifications/cancelled', { requestId: 5 })
    expect(await log()).not.toContain('notifications/cancelled')
    await one.notify('notifications/cancelled', { requestId: 5, reason: 'enough' })
    await expect.poll(log).toContain('notifications/cancelled')
    await one.notify('notifications/cancelled', { requestId: 5 })
    await one.notify('notifications/cancelled', { requestId: 'unknown' })
    await one.notify('notifications/cancelled')
    expect(resultOf(await one.request('ping'))).toEqual({})
    expect(one.received.filter(({ message: { id } }) => id === 5)).toEqual([])
  })
})

verifies('MCP-7.5', {}, async (cell) => {
  const stages = { name: 'stages', inputSchema: { type: 'object' } }
  await inGateway(cell, { lean: lean({ tools: [stages] }) }, async ({ client }) => {
    const one = await client()
    const meta = {
      'com.example/own': { kept: [1, 'x'] },
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    }
    const response = await one.request('tools/call', { name: 'lean__fail', arguments: {}, _meta: meta })
    expect((response['error'] as JsonObject)['data']).toMatchObject({ own: meta })
    // Notifications of the call keep theirs too, and members that no revision knows.
    const own = { _meta: meta, 'x-own': { kept: true } }
    await one.request('tools/call', { name: 'lean__stages', arguments: own, _meta: { progressToken: 0 } })
    const paramsOf = (method: string) => one.messagesOf(method).map(({ params }) => params)
    expect(paramsOf('notifications/progress')).toEqual([{ ...own, progressToken: 0, progress: 1 }])
    expect(paramsOf('notifications/message')).toEqual([{ ...own, level: 'info', data: 'staged', logger: 'lean' }])
  })
})
