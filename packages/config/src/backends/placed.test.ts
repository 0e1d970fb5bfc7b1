import { expect, test } from 'vitest'
import { placed } from './placed.ts'

test('variables of another program are environment variables, where no program would replace them', () => {
  const url = 'https://${HOST:-mcp.example.com}/mcp'
  const args = ['--header', 'Authorization: ${TOKEN}']
  const file = {
    mcpServers: {
      remote: { url, headers: { Authorization: 'Bearer ${TOKEN}' } },
      local: { command: 'npx', args, env: { KEY: '${KEY}', HOME: '${env:HOME}' } },
    },
    backends: { own: { url } },
  }
  expect(placed(file, '/project/.mcp.json')).toEqual({
    mcpServers: {
      remote: { url: 'https://${env:HOST}/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}' } },
      local: { command: 'npx', args, env: { KEY: '${env:KEY}', HOME: '${env:HOME}' } },
    },
    backends: { own: { url } },
  })
})
