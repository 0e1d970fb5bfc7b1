import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createParsing } from './parsing.ts'

const parsing = createParsing()
afterAll(() => parsing.remove())

const claudeDesktop = `{
  "globalShortcut": "Cmd+Space",
  "preferences": {"menuBarEnabled": false},
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/ada/Desktop"]
    },
    "Brave Search": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-brave-search"],
      "env": {"BRAVE_API_KEY": "\${TOKEN}"}
    }
  }
}`

const cursor = `{
  "mcpServers": {
    "search": {
      "type": "streamable-http",
      "url": "https://mcp.example.com/mcp",
      "headers": {"Authorization": "Bearer \${env:TOKEN}"}
    },
    "old": {"command": "old-server", "disabled": true}
  }
}`

describe("another client's file works unchanged", () => {
  test('that of Claude Desktop', () => {
    const { backends, tenants } = parsing.valid(claudeDesktop)
    expect(backends.map(({ name, prefix, isolation, options }) => ({ name, prefix, isolation, options }))).toEqual([
      {
        name: 'filesystem',
        prefix: undefined,
        isolation: 'session',
        options: {
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-filesystem', '/Users/ada/Desktop'],
          env: {},
        },
      },
      {
        name: 'brave-search',
        prefix: undefined,
        isolation: 'session',
        options: {
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-brave-search'],
          // Claude Code replaces this too. As it is, the text would be used as a key that everyone knows.
          env: { BRAVE_API_KEY: 'hunter2' },
        },
      },
    ])
    expect(tenants.map(({ backends: names }) => names)).toEqual([['filesystem', 'brave-search']])
  })

  test('that of Cursor, whose references have the same form as ours', () => {
    expect(parsing.valid(cursor).backends).toMatchObject([
      {
        name: 'search',
        options: { url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer hunter2' } },
      },
    ])
  })

  test('that of VS Code, with comments, started in the same folder as by VS Code', () => {
    const text = `{
      // for everybody in the project
      "inputs": [],
      "servers": {
        "docs": { "type": "http", "url": "https://docs.example.com/mcp" }, /* remote */
        "local": { "type": "stdio", "command": "node", "args": ["\${workspaceFolder}/server.js"], },
      },
    }`
    const file = join(parsing.folder, '.vscode', 'mcp.json')
    expect(parsing.valid(text, file).backends).toMatchObject([
      { name: 'docs', options: { url: 'https://docs.example.com/mcp' } },
      {
        name: 'local',
        options: { command: 'node', args: [join(parsing.folder, 'server.js')], cwd: parsing.folder },
      },
    ])
  })

  test('but `servers` with other members may be a typing error of `server`', () => {
    const [problem] = parsing.problems('servers: { name: mine }')
    expect(problem).toContain('Did you mean "server"?')
  })

  test('and may also have our own sections', () => {
    const { backends, listen } = parsing.valid(`
listen: { http: { port: 0 } }
backends: { demo: { plugin: "@junctor/plugin-demo" } }
mcpServers: { Files: { command: node } }
`)
    expect(listen.http.port).toBe(0)
    expect(backends.map(({ name }) => name)).toEqual(['demo', 'files'])
  })
})

test.each([
  [
    'a typing error in one of our words',
    '{"mcpServers": {}, "lisen": {}}',
    '1:20 lisen | an unknown word | audit, auth, backends, discovery, events, fabric, gatewayTools, limits, listen, mcpServers, naming, pins, profile, publicUrl, relayExtensions, secrets, server, tenants or timeout | Did you mean "listen"?',
  ],
  [
    'a server that cannot be reached',
    '{"mcpServers": {"My Server": {"comand": "x"}}}',
    '1:17 mcpServers."My Server" | comand | exactly one of the words command, plugin or url | Did you mean "command"?',
  ],
  [
    'a member of the wrong kind',
    '{"mcpServers": {"My Server": {"command": 5}}}',
    '1:42 mcpServers."My Server".command | 5 | text | Put it between quotes.',
  ],
  [
    'a server that is no object',
    '{"mcpServers": {"a": "npx"}}',
    '1:22 mcpServers.a | "npx" | a mapping | Describe the backend, for example: url: https://mcp.example.com/mcp',
  ],
  [
    'names that become one',
    '{"mcpServers": {"a b": {"command": "x"}, "A-B": {"command": "y"}}}',
    '1:42 mcpServers.A-B | "A-B", which becomes a-b | a name that no other backend has | Rename one of them.',
  ],
  [
    "another client's reference",
    '{"mcpServers": {"a": {"command": "x", "env": {"T": "${input:token}"}}}}',
    '1:52 mcpServers.a.env.T | ${input:token} | ${env:NAME} or ${file:path} | Write ${env:TOKEN} in its place, and set that variable before starting.',
  ],
])('%s is reported', (_name, text, problem) => {
  expect(parsing.problems(text)).toEqual([problem])
})
