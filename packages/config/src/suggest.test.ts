import { expect, test } from 'vitest'
import { suggest } from './suggest.ts'

const known = ['listen', 'naming', 'server', 'timeout', 'askTimeout', 'allowedHosts', 'url', 'fabric']

test.each([
  ['lisen', 'listen'],
  ['timout', 'timeout'],
  ['tiemout', 'timeout'],
  ['ask_timeout', 'askTimeout'],
  ['allowed-hosts', 'allowedHosts'],
  ['Allowed Hosts', 'allowedHosts'],
  ['URL', 'url'],
  ['ur', 'url'],
])('%s suggests %s', (written, suggestion) => {
  expect(suggest(written, known)).toBe(suggestion)
})

test.each(['globalShortcut', 'x', '', 'cat', 'mcpServers'])('%j suggests nothing', (written) => {
  expect(suggest(written, known)).toBeUndefined()
})
