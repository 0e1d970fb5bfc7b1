import type { JsonValue } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { printOpened, readOpened } from './link-protocol.ts'

const server = {
  revision: '2025-11-25',
  capabilities: { tools: {} },
  info: { name: 'files', version: '1' },
  instructions: 'read first',
} as const
const opened = { link: 'a', node: 'abcd1234', server }

test.each([server, { ...server, instructions: undefined }])('an open link is read as another node wrote it', (info) => {
  expect(readOpened(printOpened({ ...opened, server: info }))).toEqual({ ...opened, server: info })
})

test.each<[string, JsonValue, string]>([
  ['nothing', null, 'expected object'],
  ['a link without a name', { ...opened, link: ['secret'] }, 'link: '],
  ['a link without a server', { link: 'secret', node: 'b' }, 'server: '],
  ['an unknown revision', { ...opened, server: { ...server, revision: 'secret' } }, 'server.revision: '],
  ['a server without capabilities', { ...opened, server: { ...server, capabilities: null } }, 'server.capabilities: '],
  ['a server without a name', { ...opened, server: { ...server, info: 'secret' } }, 'server.info: '],
])('%s is refused with what was expected, and without its values', (_what, data, problem) => {
  const read = (): unknown => readOpened(data)
  expect(read).toThrow(/expected an open link from another node: /)
  expect(read).toThrow(problem)
  expect(read).not.toThrow('secret')
})
