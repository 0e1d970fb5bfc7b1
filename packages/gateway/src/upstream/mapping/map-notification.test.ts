import { describe, expect, it } from 'vitest'
import { type JsonObject, payloadOf } from '@junctor/jsonrpc'
import { type LogLevel, n8nProfile } from '@junctor/protocol'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import { mapNotification } from './map-notification.ts'

const message = (params: JsonObject) => ({ method: 'notifications/message', params: payloadOf(params) })

/** A session that wants this level. */
const wanting = (logLevel: LogLevel | undefined) => ({ logLevel, tenant: tenantOf([]) })

describe('mapNotification', () => {
  it.each([
    ['names the backend', 'files', { level: 'info', data: 1 }, 'files'],
    ['names the backend before its logger', 'files', { level: 'info', logger: 'db', data: 1 }, 'files/db'],
    ['names a backend once whose logger has its name', 'files', { level: 'info', logger: 'files', data: 1 }, 'files'],
    ['leaves the logger of a backend without a prefix', '', { level: 'info', logger: 'db', data: 1 }, 'db'],
  ])('%s', (_, prefix, params, logger) => {
    const { entry } = createTestBackend({ prefix })
    expect(mapNotification(entry, wanting(undefined), message(params), '2025-11-25')?.params?.value()).toEqual({
      ...params,
      logger,
    })
  })

  it.each([
    ['debug', 'warning', false],
    ['warning', 'warning', true],
    ['error', 'warning', true],
    ['debug', undefined, true],
    ['unheard-of', 'warning', true],
  ] as const)('a message of level %s for a session that wants %s passes: %s', (level, wanted, passes) => {
    const { entry } = createTestBackend()
    expect(mapNotification(entry, wanting(wanted), message({ level, data: 1 }), '2025-11-25') !== undefined).toBe(
      passes,
    )
  })

  it('drops log messages for clients to which logging was not declared', () => {
    const { entry } = createTestBackend()
    const tenant = { ...tenantOf([]), tenant: { name: 'default', profile: n8nProfile } }
    const session = { logLevel: undefined, tenant }
    expect(mapNotification(entry, session, message({ level: 'emergency', data: 1 }), '2025-11-25')).toBeUndefined()
    const other = { method: 'notifications/resources/updated', params: payloadOf({ uri: 'file:///x' }) }
    expect(mapNotification(entry, session, other, '2025-11-25')).toBe(other)
  })

  it("removes the id of a backend's own task, which means nothing to clients", () => {
    const { entry } = createTestBackend({ prefix: '' })
    const _meta = { 'io.modelcontextprotocol/related-task': { taskId: 'own' }, kept: 1 }
    const about = (method: string) =>
      mapNotification(
        entry,
        wanting(undefined),
        { method, params: payloadOf({ level: 'info', data: 1, _meta }) },
        '2025-11-25',
      )
    for (const method of ['notifications/message', 'notifications/com.example/own']) {
      expect(about(method)?.params?.value()).toEqual({ level: 'info', data: 1, _meta: { kept: 1 } })
    }
  })

  it('does not change other notifications', () => {
    const { entry } = createTestBackend()
    const other = { method: 'notifications/elicitation/complete', params: payloadOf({ elicitationId: '1' }) }
    expect(mapNotification(entry, wanting('emergency'), other, '2025-11-25')).toBe(other)
  })

  it.each([
    ['info', undefined, false],
    ['info', 'info', true],
    ['debug', 'info', false],
  ] as const)('from 2026-07-28 on, %s passes for a request that asks for %s: %s', (level, wanted, passes) => {
    const { entry } = createTestBackend()
    const mapped = mapNotification(entry, wanting(wanted), message({ level, data: 1 }), '2026-07-28')
    expect(mapped !== undefined).toBe(passes)
  })

  it.each([
    'tools/list_changed',
    'prompts/list_changed',
    'resources/list_changed',
    'resources/updated',
    'elicitation/complete',
  ])('from 2026-07-28 on, %s is not part of a request', (name) => {
    const { entry } = createTestBackend()
    const notification = { method: `notifications/${name}`, params: undefined }
    expect(mapNotification(entry, wanting('debug'), notification, '2026-07-28')).toBeUndefined()
  })
})
