import { isName } from '@junctor/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foreignServers } from './foreign-servers.ts'
import { legalName } from './legal-name.ts'

describe('a name', () => {
  test.each([
    ['filesystem', 'filesystem'],
    ['My Server', 'my-server'],
    ['GitHub_MCP.v2', 'github-mcp-v2'],
    ['--x--', 'x'],
    ['Café', 'cafe'],
    ['a'.repeat(80), 'a'.repeat(64)],
    [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
    ['日本', 'server-cf2abf0c'],
  ])('%s becomes %s', (written, name) => {
    expect(legalName(written)).toBe(name)
  })

  test('every text becomes a legal name, and a legal name stays unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (written) => {
        const name = legalName(written)
        expect(isName(name)).toBe(true)
        expect(legalName(name)).toBe(name)
      }),
    )
  })
})

test('a server keeps the members that describe how to reach it, and no others', () => {
  const { backends, findings } = foreignServers(
    'mcpServers',
    {
      one: { type: 'stdio', command: 'npx', args: ['-y', 'x'], env: { A: 'b' }, cwd: '/', autoApprove: ['read'] },
      two: { type: 'http', url: 'https://x.example/mcp', headers: { a: 'b' }, timeout: 60, disabled: false },
      three: { transport: 'sse', serverUrl: 'https://y.example/sse' },
      four: { httpUrl: 'https://z.example/mcp', trust: true },
      five: { command: 'x', headers: {} },
      six: { url: 'https://x.example/mcp', args: [], env: {} },
      seven: { comand: 'x', headers: {} },
    },
    [],
  )
  expect(findings).toEqual([])
  expect(backends.map(({ value }) => value)).toEqual([
    { command: 'npx', args: ['-y', 'x'], env: { A: 'b' }, cwd: '/' },
    { url: 'https://x.example/mcp', headers: { a: 'b' } },
    { url: 'https://y.example/sse' },
    { url: 'https://z.example/mcp' },
    { command: 'x' },
    { url: 'https://x.example/mcp' },
    { comand: 'x', headers: {} },
  ])
})

test('a disabled server is left out', () => {
  expect(foreignServers('mcpServers', { a: { command: 'x', disabled: true } }, []).backends).toEqual([])
  expect(foreignServers('mcpServers', { a: { command: 'x', enabled: false } }, []).backends).toEqual([])
  expect(foreignServers('mcpServers', { a: { command: 'x', isActive: false } }, []).backends).toEqual([])
})

test('two names that become equal are reported, in every section', () => {
  const { backends, findings } = foreignServers(
    'mcpServers',
    { 'My Files': { command: 'a' }, my_files: { command: 'b' }, Two: {} },
    ['two'],
  )
  expect(backends.map(({ name }) => name)).toEqual(['my-files'])
  expect(findings).toEqual([
    {
      kind: 'name_taken',
      path: ['mcpServers', 'my_files'],
      at: 'key',
      got: '"my_files", which becomes my-files',
      expected: 'a name that no other backend has',
      next: 'Rename one of them.',
    },
    expect.objectContaining({ path: ['mcpServers', 'Two'], got: '"Two", which becomes two' }),
  ])
})
