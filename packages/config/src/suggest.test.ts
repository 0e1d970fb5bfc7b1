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
])('%s was meant to be %s', (written, meant) => {
  expect(suggest(written, known)).toBe(meant)
})

test.each(['globalShortcut', 'x', '', 'cat', 'mcpServers'])('%j is near nothing', (written) => {
  expect(suggest(written, known)).toBeUndefined()
})
