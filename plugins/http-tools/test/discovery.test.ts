import { silentLog } from '@junctor/plugin-sdk'
import { openBackend } from '@junctor/plugin-sdk/testing'
import { eventually } from '@junctor/testkit'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { config } from '../src/config.ts'
import { createHttpTools } from '../src/create-http-tools.ts'
import { client, component, namesOf, opened, paris, refusal, sunny, weather } from './parts.ts'

describe('several components', () => {
  const named = (name: string): object => ({ ...weather, name })

  test('come from a pattern', async () => {
    const one = await component({ description: named('one') })
    const parts = await client({ tool: `http://{component}:${one.port}/`, components: ['localhost', '127.0.0.1'] })
    expect(await namesOf(parts)).toEqual(['one'])
  })

  test('one that is down or slow hides no other, and appears by itself', async () => {
    const up = await component({ description: named('up') })
    const down = await component({ description: named('down') })
    await down.close()
    const parts = await client({ tool: [down.url, up.url] })
    expect(await namesOf(parts)).toEqual(['up'])
    await component({ description: named('down'), port: down.port })
    await eventually(async () => expect(await namesOf(parts)).toEqual(['down', 'up']))
    expect(parts.notifications.map(({ method }) => method)).toContain('notifications/tools/list_changed')
  })

  test('one that goes down stays listed, calls say so, and it comes back by itself', async () => {
    const one = await component()
    const options = z.parse(config, { tool: one.url, refresh: '200ms' })
    const backend = createHttpTools({ name: 'parts', config: options, log: silentLog })
    const parts = await openBackend(backend)
    opened.push(parts)
    expect(backend.warnings?.()).toEqual([])
    await one.close()
    expect(await refusal(parts.callTool('weather', paris))).toMatchObject({
      code: -32000,
      data: { reason: 'backend_unavailable', retryable: true },
    })
    expect(backend.warnings?.()).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/: no connection/)])
    expect(await namesOf(parts)).toEqual(['weather'])
    await component({ port: one.port })
    await eventually(() => expect(backend.warnings?.()).toEqual([]))
    expect(await parts.callTool('weather', paris)).toEqual(sunny)
  })

  test('when none answers, the backend cannot be opened, and says why', async () => {
    const one = await component({ description: '<html>' })
    await expect(client({ tool: one.url })).rejects.toThrow('an answer that is not JSON')
    one.description = { name: 'no name with spaces' }
    await expect(client({ tool: one.url })).rejects.toThrow('expected a tool name')
    one.description = { ...weather, inputSchema: { type: 'wrong' } }
    await expect(client({ tool: one.url })).rejects.toThrow('inputSchema')
  })

  test('of two with one name, the first is offered and the other is a warning', async () => {
    const [one, other] = [await component(), await component({ answer: () => ({ content: [] }) })]
    const options = z.parse(config, { tool: [one.url, other.url] })
    const backend = createHttpTools({ name: 'parts', config: options, log: silentLog })
    const parts = await openBackend(backend)
    opened.push(parts)
    expect(await namesOf(parts)).toEqual(['weather'])
    expect(await parts.callTool('weather', paris)).toEqual(sunny)
    expect(backend.warnings?.()).toEqual([`${other.url}: another component has the name weather`])
  })

  test('a schema that changes between list and call: the component refuses, and the list follows', async () => {
    const one = await component()
    const parts = await client({ tool: one.url, refresh: '5m' })
    one.description = { ...weather, inputSchema: { ...weather.inputSchema, required: ['location', 'unit'] } }
    one.answer = ({ response }) => void response.writeHead(400).end()
    expect(await refusal(parts.callTool('weather', paris))).toMatchObject({ data: { reason: 'tool_failed' } })
    await eventually(async () =>
      expect((await parts.listTools())[0]?.['inputSchema']).toMatchObject({ required: ['location', 'unit'] }),
    )
    expect(await refusal(parts.callTool('weather', paris))).toMatchObject({ data: { reason: 'invalid_arguments' } })
    expect(one.calls).toHaveLength(1)
  })
})

describe('a registry', () => {
  const registryOf = (...urls: readonly (string | object)[]): object => ({ components: urls })

  test('lists components, which appear and disappear; a call in flight goes on', async () => {
    const [one, other] = [await component(), await component({ description: { ...weather, name: 'other' } })]
    const registry = await component({ description: registryOf(one.url) })
    const parts = await client({ tool: { registry: registry.url } })
    expect(await namesOf(parts)).toEqual(['weather'])
    registry.description = registryOf(one.url, { name: 'other', url: other.url })
    await eventually(async () => expect(await namesOf(parts)).toEqual(['weather', 'other']))
    const answered = Promise.withResolvers<object>()
    other.answer = () => answered.promise
    const call = parts.callTool('other', paris)
    await eventually(() => expect(other.calls).toHaveLength(1))
    registry.description = registryOf(one.url)
    await eventually(async () => expect(await namesOf(parts)).toEqual(['weather']))
    expect(await refusal(parts.callTool('other', paris))).toMatchObject({ data: { reason: 'unknown_tool' } })
    answered.resolve(sunny)
    expect(await call).toEqual(sunny)
    expect(parts.notifications.length).toBeGreaterThanOrEqual(2)
  })

  test('that fails or is none keeps the components that it had', async () => {
    const one = await component()
    const registry = await component({ description: registryOf(one.url) })
    const options = z.parse(config, { tool: { registry: registry.url }, refresh: '200ms' })
    const backend = createHttpTools({ name: 'parts', config: options, log: silentLog })
    const parts = await openBackend(backend)
    opened.push(parts)
    for (const [bad, why] of [
      ['<html>', 'an answer that is not JSON'],
      [{}, 'expected { "components": [...] }'],
      ['null', 'expected { "components": [...] }'],
    ] as const) {
      registry.description = bad
      await eventually(() => expect(backend.warnings?.()).toEqual([`${registry.url}: ${why}`]))
    }
    expect(await parts.callTool('weather', paris)).toEqual(sunny)
  })

  test('with a broken entry is used without it, and the log says that once', async () => {
    const one = await component()
    const registry = await component({ description: registryOf(one.url, { name: 'no url' }) })
    const options = z.parse(config, { tool: { registry: registry.url }, refresh: '50ms' })
    const warned: string[] = []
    const log = { ...silentLog, warn: (message: string) => void warned.push(message) }
    const backend = createHttpTools({ name: 'parts', config: options, log })
    const parts = await openBackend(backend)
    opened.push(parts)
    expect(await parts.callTool('weather', paris)).toEqual(sunny)
    await eventually(() => expect(registry.reads).toBeGreaterThan(5))
    expect(backend.warnings?.()).toEqual([`${registry.url}: 1 entries are no URLs of components`])
    expect(warned).toEqual(['a registry of components has a problem'])
  })

  test('leads to no private address that the configuration does not name, and gets no secrets sent there', async () => {
    const inner = await component()
    const hidden = inner.url.replace('127.0.0.1', 'localhost')
    const registry = await component({ description: registryOf(hidden, 'http://169.254.169.254/') })
    await expect(client({ tool: { registry: registry.url }, auth: { bearer: 'secret' } })).rejects.toThrow(
      'no component can be used',
    )
    expect(inner.reads).toBe(0)
    const parts = await client({ tool: { registry: registry.url }, allowedHosts: ['localhost'] })
    expect(await parts.callTool('weather', paris)).toEqual(sunny)
  })
})
