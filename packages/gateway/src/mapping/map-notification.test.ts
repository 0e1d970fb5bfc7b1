import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { payloadOf } from '@junctor/jsonrpc'
import { createTestBackend } from '../../test/support/test-backend.ts'
import { mapNotification } from './map-notification.ts'

const message = (params: JsonObject) => ({ method: 'notifications/message', params: payloadOf(params) })

describe('mapNotification', () => {
  it.each([
    ['names the backend', 'files', { level: 'info', data: 1 }, 'files'],
    ['names the backend before its logger', 'files', { level: 'info', logger: 'db', data: 1 }, 'files/db'],
    ['names a backend once whose logger has its name', 'files', { level: 'info', logger: 'files', data: 1 }, 'files'],
    ['leaves the logger of a backend without a prefix', '', { level: 'info', logger: 'db', data: 1 }, 'db'],
  ])('%s', (_, prefix, params, logger) => {
    const { entry } = createTestBackend({ prefix })
    expect(mapNotification(entry, undefined, message(params))?.params?.value()).toEqual({ ...params, logger })
  })

  it.each([
    ['debug', 'warning', false],
    ['warning', 'warning', true],
    ['error', 'warning', true],
    ['debug', undefined, true],
    ['unheard-of', 'warning', true],
  ] as const)('a message of level %s for a session that wants %s passes: %s', (level, wanted, passes) => {
    const { entry } = createTestBackend()
    expect(mapNotification(entry, wanted, message({ level, data: 1 })) !== undefined).toBe(passes)
  })

  it('passes other notifications untouched', () => {
    const { entry } = createTestBackend()
    const other = { method: 'notifications/elicitation/complete', params: payloadOf({ elicitationId: '1' }) }
    expect(mapNotification(entry, 'emergency', other)).toBe(other)
  })
})
