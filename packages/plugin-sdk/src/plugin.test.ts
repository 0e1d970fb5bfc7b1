import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { createBackend } from './create-backend.ts'
import { createTool } from './create-tool.ts'
import { definePlugin, type Plugin } from './plugin.ts'
import { openBackend } from './testing/index.ts'
import { ToolResponse } from './tool-response.ts'

const weather = definePlugin({
  name: '@acme/weather',
  key: 'weather',
  config: z.object({ weather: z.string(), unit: z.enum(['C', 'F']).default('C') }),
  create(config, context) {
    expectTypeOf(config).toEqualTypeOf<{ weather: string; unit: 'C' | 'F' }>()
    const cache = context.store<number>('cache', 60_000)
    const report = createTool({
      metadata: { name: 'report', description: 'x', inputSchema: z.object({}) },
      async handler() {
        const calls = ((await cache.get('calls'))?.value ?? 0) + 1
        await cache.put('calls', calls)
        return `${context.name}: ${config.weather}, ${config.unit}, ${calls}`
      },
    })
    return createBackend({ name: context.name, tools: [report], log: context.log })
  },
})

it('a plugin with its own config type is assignable to Plugin', () => {
  const plugins: readonly Plugin[] = [weather]
  expect(plugins.map(({ name }) => name)).toEqual(['@acme/weather'])
})

describe('opened for a test', () => {
  it('gets its checked options and the services of the gateway', async () => {
    const client = await openBackend(weather, { config: { weather: 'sunny' } })
    expect(await client.callTool('report')).toEqual(ToolResponse.text('test: sunny, C, 1'))
    expect(await client.callTool('report')).toEqual(ToolResponse.text('test: sunny, C, 2'))
  })

  it('invalid options are refused', async () => {
    await expect(openBackend(weather, { config: { weather: 7 } })).rejects.toThrow('expected string')
    await expect(openBackend(weather)).rejects.toThrow('expected string')
  })
})
