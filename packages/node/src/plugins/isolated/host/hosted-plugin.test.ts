import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRequest, programFile, recordExchange } from '@junctor/testkit'
import { defaultOAuthPaths } from '@junctor/plugin-sdk'
import type { JsonValue } from '@junctor/jsonrpc'
import type { PipeFabric } from '@junctor/fabric/pipe'
import { expect, onTestFinished, test } from 'vitest'
import { HostedPlugin } from './hosted-plugin.ts'

const unruly = programFile(new URL('../../../../fixtures/unruly-plugin.ts', import.meta.url))

test.each([
  ['undefined', 'nothing'],
  ['{}', 'an object'],
])('a plugin that creates %s is told what was expected', async (made, got) => {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-hosted-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'odd.ts')
  writeFileSync(
    file,
    `import { unrulyPlugin } from ${JSON.stringify(unruly)}\nexport default { ...unrulyPlugin, create: () => (${made}) }`,
  )
  const hosted = new HostedPlugin({ file, packageName: undefined, calls: {} as PipeFabric })
  const ask = async (method: string, params: JsonValue) =>
    hosted.handler(createRequest(method, params), recordExchange().exchange)
  await ask('load', {})
  const site = { oauthPaths: { ...defaultOAuthPaths } }
  const outcome = await ask('create', { name: 'odd', folder, site, options: {} })
  expect(outcome.kind === 'complete' && outcome.result.value()).toEqual({
    kind: 'failed',
    message: `expected a backend, got ${got}`,
  })
})
