import { expect, test, vi } from 'vitest'
import { silentLog } from '@junctor/contracts'
import { redactedLog } from './redacted-log.ts'
import { createRedaction } from '@junctor/primitives'

test('no message, field, error or cause contains a secret', () => {
  const warn = vi.fn<typeof silentLog.warn>()
  const log = redactedLog({ ...silentLog, warn }, createRedaction(['hunter2-hunter2']))
  const cause = Object.assign(new Error('inner hunter2-hunter2'), { body: 'hunter2-hunter2', code: 'ECODE' })
  const error = new TypeError('outer hunter2-hunter2', { cause })
  log.warn('got hunter2-hunter2', { error, list: [{ text: 'hunter2-hunter2' }], count: 1, none: undefined })
  const [message, fields] = warn.mock.lastCall ?? []
  expect(message).toBe('got ***')
  expect(fields).toMatchObject({ list: [{ text: '***' }], count: 1 })
  const shown = fields?.['error'] as TypeError & { cause: typeof cause }
  expect(shown).toBeInstanceOf(TypeError)
  expect([shown.message, shown.cause.message, shown.cause.body]).toEqual(['outer ***', 'inner ***', '***'])
  expect(shown.cause.code).toBe('ECODE')
  expect(`${shown.stack} ${shown.cause.stack}`).not.toContain('hunter2')
  expect(error.message).toContain('hunter2')
})
