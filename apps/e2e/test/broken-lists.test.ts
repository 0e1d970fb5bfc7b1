import { expect } from 'vitest'
import { answering, inGateway } from '../src/in-gateway.ts'
import { errorOf, namesOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

// Servers that declare a kind of things, and fail to list it.

const inputSchema = { type: 'object' }
const whole = {
  'tools/list': { tools: [{ name: 'say', inputSchema }] },
  'prompts/list': { prompts: [{ name: 'greet' }] },
  'resources/list': { resources: [{ uri: 'file:///a', name: 'a' }] },
}
const called = { 'tools/call': { say: { content: [{ type: 'text', text: 'said' }] } } }

const failing = (method: keyof typeof whole): object =>
  answering({ capabilities: { tools: {}, prompts: {}, resources: {} }, results: { ...whole, ...called, [method]: {} } })

verifies('REL-14', { ways: ['http', 'stdio'] }, async (cell) => {
  const backends = { one: failing('prompts/list'), two: failing('tools/list'), three: failing('resources/list') }
  await inGateway(cell, backends, async ({ client }) => {
    const one = await client()
    expect(namesOf(await one.request('tools/list', {}))).toEqual(['one__say', 'three__say'])
    expect(namesOf(await one.request('prompts/list', {}), 'prompts')).toEqual(['two__greet', 'three__greet'])
    expect(namesOf(await one.request('resources/list', {}), 'resources')).toEqual(['a', 'a'])
    expect(textOf(await one.request('tools/call', { name: 'one__say', arguments: {} }))).toBe('said')

    const unlisted = { reason: 'backend_unavailable', retryable: true, retryAfterMs: expect.any(Number) as number }
    const prompt = await one.request('prompts/get', { name: 'one__greet' })
    expect(errorOf(prompt).data).toMatchObject({ ...unlisted, backend: 'one' })
    const tool = await one.request('tools/call', { name: 'two__say', arguments: {} })
    expect(errorOf(tool).data).toMatchObject({ ...unlisted, backend: 'two' })
    // A kind that was listed is known.
    const other = await one.request('tools/call', { name: 'one__shout', arguments: {} })
    expect(errorOf(other).data).toMatchObject({ reason: 'unknown_tool' })
  })
})
