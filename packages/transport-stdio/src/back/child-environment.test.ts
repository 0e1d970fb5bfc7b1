import { expect, test } from 'vitest'
import { childEnvironment } from './child-environment.ts'

test.each([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'JUNCTOR_CHAIN',
])('%s is passed on', (name) => {
  expect(childEnvironment({ [name]: 'value' }, {})).toEqual({ [name]: 'value' })
})

test.each(['AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN', 'NODE_OPTIONS', 'LD_PRELOAD', 'MY_PATH', 'PATHS', 'path'])(
  '%s is not inherited',
  (name) => {
    expect(childEnvironment({ [name]: 'value' }, {})).toEqual({})
  },
)

test('its own variables override inherited ones', () => {
  expect(childEnvironment({ PATH: '/bin', HOME: undefined }, { PATH: '/opt', TOKEN: 'x' })).toEqual({
    PATH: '/opt',
    TOKEN: 'x',
  })
})
