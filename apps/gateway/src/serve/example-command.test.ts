import { expect, test } from 'vitest'
import { exampleCommand } from './example-command.ts'

const url = 'http://127.0.0.1:3000/mcp'
const inspector = `npx -y @modelcontextprotocol/inspector@2.12.0 --cli ${url} --transport http`
const noKeys = { auth: { apiKeys: [], anonymous: false, issuer: undefined } }
const server = { backend: 'login', scopes: [], toolScopes: {} }
const tokens = { auth: { apiKeys: [], anonymous: false, issuer: undefined, server } }
const oneKey = { auth: { apiKeys: [{ name: 'ci', hash: '', tenants: [] }], anonymous: false, issuer: undefined } }

test.each([
  [true, noKeys, `${inspector} --method tools/call --tool-name demo__add --tool-arg a=2 --tool-arg b=3`],
  [false, noKeys, `${inspector} --method tools/list`],
  [false, oneKey, `${inspector} --header "Authorization: Bearer $API_KEY" --method tools/list`],
  [false, tokens, `${inspector} --header "Authorization: Bearer $TOKEN" --method tools/list`],
])('demo: %s, %j', (isDemo, config, command) => {
  expect(exampleCommand({ url, isDemo, config })).toBe(command)
})
