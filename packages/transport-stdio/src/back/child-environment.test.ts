import { expect, test } from 'vitest'
import { childEnvironment } from './child-environment.ts'

test.each([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
  'SHELL',
  'TERM',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'JUNCTOR_CHAIN',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'HTTPS_PROXY',
  'https_proxy',
  'NO_PROXY',
])('%s is passed on', (name) => {
  expect(childEnvironment({ [name]: 'value' }, {})).toEqual({ [name]: 'value' })
})

test.each(['AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN', 'NODE_OPTIONS', 'LD_PRELOAD', 'MY_PATH', 'PATHS', 'path'])(
  '%s is not inherited',
  (name) => {
    expect(childEnvironment({ [name]: 'value' }, {})).toEqual({})
  },
)

test.each(['http://user:password@proxy.example:3128', 'user@proxy.example'])(
  'a proxy with credentials is not inherited: %s',
  (value) => {
    expect(childEnvironment({ HTTPS_PROXY: value, NO_PROXY: '.example' }, {})).toEqual({ NO_PROXY: '.example' })
  },
)

test('its own variables override inherited ones', () => {
  expect(childEnvironment({ PATH: '/bin', HOME: undefined }, { PATH: '/opt', TOKEN: 'x' })).toEqual({
    PATH: '/opt',
    TOKEN: 'x',
  })
})
