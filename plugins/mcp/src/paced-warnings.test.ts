import { silentLog } from '@junctor/plugin-sdk/link'
import { expect, test, vi } from 'vitest'
import { pacedWarnings } from './paced-warnings.ts'

test('a server whose calls all fail does not fill the log, and the log says what it lacks', () => {
  let clock = 0
  const warn = vi.fn<typeof silentLog.warn>()
  const log = pacedWarnings({ ...silentLog, warn }, () => clock)
  for (let call = 0; call < 10_000; call += 1) log.warn('a call failed on its way', { failure: 'HTTP 500' })
  expect(warn).toHaveBeenCalledTimes(100)
  expect(warn).toHaveBeenLastCalledWith('a call failed on its way', { failure: 'HTTP 500' })
  clock += 1_000
  log.warn('a call failed on its way', { failure: 'HTTP 500' })
  expect(warn).toHaveBeenLastCalledWith('a call failed on its way', { failure: 'HTTP 500', suppressed: 9_900 })
})
