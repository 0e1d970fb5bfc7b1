import { expect, test } from 'vitest'
import { typedBackend } from './typed-backend.ts'

test.each([
  ['files=npx -y server .', { name: 'files', backend: { command: 'npx', args: ['-y', 'server', '.'] } }],
  ['one = server', { name: 'one', backend: { command: 'server' } }],
  ['w=wss://x.test/mcp', { name: 'w', backend: { url: 'wss://x.test/mcp' } }],
  ['s=https://x.test/mcp?a=b', { name: 's', backend: { url: 'https://x.test/mcp?a=b' } }],
])('%j is a backend', (text, read) => {
  expect(typedBackend(text)).toEqual({ kind: 'backend', ...read })
})

test.each([
  [
    'npx server',
    'expected name=command or name=url, got "npx server": write a name before it, for example my-server=npx server',
  ],
  ['=npx', 'expected name=command or name=url, got "=npx"'],
  ['a=', 'expected name=command or name=url, got "a="'],
  ['My Files=npx', 'expected a name of a to z, 0 to 9 and "-", at most 64 long, got "My Files"'],
  ['a="open', 'expected a quote that is closed again, got "\\"open"'],
  ['a=http://', 'expected a URL such as https://mcp.example.com/mcp, got "http://"'],
])('%j is not a backend', (text, message) => {
  expect(typedBackend(text)).toEqual({ kind: 'bad', message })
})
