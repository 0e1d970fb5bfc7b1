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

test.each<[string, JsonValue]>([
  ['nothing', null],
  ['a link without a name', { ...opened, link: 1 }],
  ['a link without a server', { link: 'a', node: 'b' }],
  ['a revision that this version does not know', { ...opened, server: { ...server, revision: '2099-01-01' } }],
  ['a server without capabilities', { ...opened, server: { ...server, capabilities: null } }],
  ['a server without a name', { ...opened, server: { ...server, info: 'files' } }],
])('%s is refused with what was expected and what came', (_what, data) => {
  expect(() => readOpened(data)).toThrow(/expected an open link.*from another node, got [{n]/)
})
