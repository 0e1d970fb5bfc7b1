import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type JunctorProcess, startJunctor } from './junctor-process.ts'

vi.setConfig({ testTimeout: 90_000 })

let folder: string
let temporary: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-dev-test-'))
  temporary = join(folder, 'tmp')
  mkdirSync(temporary)
})
afterEach(() => rmSync(folder, { recursive: true }))

const plugin = `
import { createBackend, createTool, definePlugin } from '@junctor/plugin-sdk'
import { z } from 'zod'
import { forecast } from './forecast.ts'

export default definePlugin({
  name: 'weather',
  key: 'plugin',
  config: z.strictObject({ city: z.string() }),
  create: ({ city }: { city: string }, { name }) =>
    createBackend({
      name,
      tools: [
        createTool({
          metadata: { name: 'forecast', description: 'Tells the weather', inputSchema: z.strictObject({}) },
          handler: () => forecast(city),
        }),
      ],
    }),
})
`

function writeForecast(text: string): void {
  writeFileSync(join(folder, 'forecast.ts'), text)
}

const forecastOf = (weather: string): string =>
  `export const forecast = (city: string): string => \`${weather} in \${city}\`\n`

function dev(...words: readonly string[]): JunctorProcess {
  return startJunctor(['plugin', 'dev', ...words, '--port', '0'], { folder, env: { TMPDIR: temporary } })
}

test('a module that the plugin imports changes: sessions stay, calls are shown, nothing is left', async () => {
  writeFileSync(join(folder, 'weather.ts'), plugin)
  writeForecast(forecastOf('sun'))
  const junctor = dev('weather.ts', '--options', '{"city":"Oslo"}')
  const url = await junctor.line(/Ready on (\S+)/)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const forecast = async (): Promise<unknown> => {
    const { content } = await client.callTool({ name: 'weather__forecast', arguments: {} })
    return (content as readonly { readonly text: string }[])[0]?.text
  }
  try {
    expect(await forecast()).toBe('sun in Oslo')
    await expect.poll(() => junctor.stdout()).toMatch(/success gateway\.tool_call .*tool=weather__forecast/)
    writeForecast('export const forecast = ')
    await junctor.line(/(the new configuration has a problem)/)
    expect(await forecast()).toBe('sun in Oslo')
    expect(junctor.stderr()).not.toContain('Loaded again.')
    writeForecast(forecastOf('rain'))
    await junctor.line(/^(Loaded again\.)$/m)
    await expect.poll(forecast, { timeout: 20_000 }).toBe('rain in Oslo')
  } finally {
    await client.close()
    junctor.child.kill('SIGTERM')
    expect(await junctor.ended()).toBe(0)
  }
  expect(junctor.stdout()).not.toContain('pending')
  expect(readdirSync(temporary)).toEqual([])
})

test('a folder with a junctor.yaml is served with it', async () => {
  mkdirSync(join(folder, 'weather'))
  writeFileSync(join(folder, 'weather/weather.ts'), plugin)
  writeFileSync(join(folder, 'weather/forecast.ts'), forecastOf('sun'))
  writeFileSync(join(folder, 'weather/junctor.yaml'), 'backends: { sky: { plugin: ./weather.ts, city: Oslo } }\n')
  const junctor = dev('weather')
  await junctor.line(/Ready on (\S+)/)
  expect(junctor.stderr()).toContain('sky__forecast')
  junctor.child.kill('SIGTERM')
  expect(await junctor.ended()).toBe(0)
})

test.each([
  [['nowhere.ts'], 2, 'expected a file or folder, got'],
  [['weather.ts', '--options', '[1]'], 2, 'Expected options such as'],
  [['weather.ts', '--options', '{'], 2, 'must end with a } at line 1, column 2.\n'],
  [
    ['weather.ts', '--options', '{"town":"Oslo"}'],
    3,
    `junctor: city: got nothing, expected text\n  Give it: --options '{"city":…}'`,
  ],
])('%j ends with its reason', async (words, code, reason) => {
  writeFileSync(join(folder, 'weather.ts'), plugin)
  writeForecast(forecastOf('sun'))
  const junctor = dev(...words)
  expect(await junctor.ended()).toBe(code)
  expect(junctor.stderr()).toContain(reason)
  expect(readdirSync(temporary)).toEqual([])
})
