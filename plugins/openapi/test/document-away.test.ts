import { silentLog } from '@junctor/plugin-sdk/link'
import { openBackend } from '@junctor/plugin-sdk/testing'
import { expect, test } from 'vitest'
import { config } from '../src/config.ts'
import { createOpenApiBackend } from '../src/create-openapi-backend.ts'
import { json, startApiServer } from './api-server.ts'
import { documentOf } from './open-api-client.ts'

test.each([
  ['as it was', 200],
  ['not changed', 304],
])('a document at a URL is no problem any more when it was away, and is %s', { timeout: 30_000 }, async (_, status) => {
  const document = documentOf({ '/x': { get: { operationId: 'run' } } })
  const server = await startApiServer(json(document, 200, { etag: '"1"' }))
  const parsed = config.parse({ openapi: `${server.url}/openapi.json`, refreshSeconds: 1 })
  const backend = createOpenApiBackend({ name: 'api', config: parsed, log: silentLog, folder: '.' })
  const client = await openBackend(backend)
  server.reply(json({}, 503))
  const warnings = (): string => backend.warnings?.().join('\n') ?? ''
  await expect.poll(warnings, { timeout: 10_000 }).toContain('HTTP 503')
  server.reply((request, response) =>
    status === 304 ? response.writeHead(304).end() : json(document, 200, { etag: '"1"' })(request, response),
  )
  await expect.poll(warnings, { timeout: 10_000 }).toBe('')
  await client.close()
  await backend.close()
  await server.close()
})
