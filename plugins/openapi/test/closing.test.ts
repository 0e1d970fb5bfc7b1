import { getEventListeners } from 'node:events'
import { type Backend, silentLog } from '@junctor/plugin-sdk/link'
import { openBackend } from '@junctor/plugin-sdk/testing'
import { eventually } from '@junctor/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { config } from '../src/config.ts'
import { createOpenApiBackend } from '../src/create-openapi-backend.ts'
import { openLiveApi } from '../src/live-api.ts'
import { json, startApiServer } from './api-server.ts'
import { documentOf } from './open-api-client.ts'

test('a document that does not arrive, or not again, does not hold up the end of the backend', async () => {
  // The time limit of a document never passes.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const silent = (): void => {}
  const server = await startApiServer(silent)
  onTestFinished(() => server.close())
  const parsed = config.parse({ openapi: `${server.url}/openapi.json`, refreshSeconds: 1 })
  const start = (): Backend => createOpenApiBackend({ name: 'api', config: parsed, log: silentLog, folder: '.' })
  const first = start()
  const opening = openBackend(first)
  await eventually(() => expect(server.requests).toHaveLength(1))
  await first.close()
  await expect(opening).rejects.toThrow('openapi.json cannot be read')

  server.reply(json(documentOf({ '/x': { get: { operationId: 'run' } } })))
  const second = start()
  const client = await openBackend(second)
  server.reply(silent)
  await eventually(() => expect(server.requests).toHaveLength(3))
  await client.close()
  await second.close()
})

test('a document that cannot be read leaves nothing behind: a link is opened again and again while it is away', async () => {
  const server = await startApiServer(json({}, 503))
  onTestFinished(() => server.close())
  const parsed = config.parse({ openapi: `${server.url}/openapi.json` })
  const { signal } = new AbortController()
  const opening = openLiveApi({ name: 'api', config: parsed, log: silentLog, folder: '.' }, () => {}, signal)
  await expect(opening).rejects.toThrow('HTTP 503')
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a backend that is closed opens nothing more', async () => {
  const server = await startApiServer(json(documentOf({ '/x': { get: { operationId: 'run' } } })))
  onTestFinished(() => server.close())
  const parsed = config.parse({ openapi: `${server.url}/openapi.json` })
  const backend = createOpenApiBackend({ name: 'api', config: parsed, log: silentLog, folder: '.' })
  const client = await openBackend(backend)
  await client.close()
  await backend.close()
  const asked = server.requests.length
  await expect(openBackend(backend)).rejects.toThrow('Backend "api" is closed')
  expect(server.requests).toHaveLength(asked)
})

test('a backend that is closed before its first link opens nothing', async () => {
  const backend = createOpenApiBackend({
    name: 'api',
    config: config.parse({ openapi: 'http://127.0.0.1:9/openapi.json' }),
    log: silentLog,
    folder: '.',
  })
  await backend.close()
  await expect(openBackend(backend)).rejects.toThrow('Backend "api" is closed')
})
