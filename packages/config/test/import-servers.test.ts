import { join } from 'node:path'
import type { JsonObject } from '@junctor/jsonrpc'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { importServers, printConfig } from '../src/index.ts'
import { createParsing } from './parsing.ts'

const parsing = createParsing()
afterAll(() => parsing.remove())

const imported = (text: string, file = '/home/ada/mcp.json'): ReturnType<typeof importServers> =>
  importServers(text, file, '/home/ada/shop')

describe('an entry for this gateway is left out', () => {
  test.each<[string, readonly string[]]>([
    ['/home/ada/junctor/bin/junctor', ['serve', '--stdio']],
    ['npx', ['-y', 'junctor', 'serve', '--stdio']],
    ['npx', ['-y', 'junctor@1.2.3', '--', 'serve']],
    ['C:\\tools\\junctor.cmd', ['serve']],
    ['node', ['/my code/apps/gateway/src/main.ts', 'serve', '--stdio', '--config', 'x.yaml']],
    ['/usr/bin/node', ['--import', 'x', 'C:\\j\\apps\\gateway\\dist\\main.js', '--', 'serve']],
    ['npx -y pnpm@12.21.0 junctor serve', []],
    ['pnpm', ['--dir', '/j', 'junctor', 'serve']],
    ['sh', ['-c', 'cd /tmp && "/opt/junctor" serve --stdio']],
    ['env', ['A=b', 'junctor', 'serve']],
  ])('%s %j', (command, args) => {
    const server = { command: 'npx', args: ['-y', 'files'] }
    const text = JSON.stringify({ mcpServers: { gateway: { command, args }, files: server } })
    expect(imported(text)).toEqual({
      backends: { files: server },
      left: [{ what: 'mcpServers.gateway', why: 'it is this gateway, which would start itself without end' }],
    })
  })

  test.each<[string, readonly string[]]>([
    ['npx', ['-y', 'junctor-files', 'serve']],
    ['npx', ['-y', 'files', '/home/ada/junctor', 'read']],
    ['junctor', ['call', 'echo']],
    ['serve', ['/home/ada/junctor']],
  ])('but no other program: %s %j', (command, args) => {
    expect(imported(JSON.stringify({ mcpServers: { a: { command, args } } })).backends).toEqual({
      a: { command, args },
    })
  })
})

describe('servers are imported', () => {
  test('from Claude Desktop', () => {
    const text = `{
      "globalShortcut": "Cmd+Space",
      "mcpServers": {
        "filesystem": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/data"] },
        "Brave Search": { "command": "npx", "args": ["-y", "brave"], "env": { "KEY": "abc", "PORT": 8080 } }
      }
    }`
    expect(imported(text)).toEqual({
      backends: {
        filesystem: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/data'] },
        'brave-search': { command: 'npx', args: ['-y', 'brave'], env: { KEY: 'abc', PORT: '8080' } },
      },
      left: [],
    })
  })

  test('from Claude Code, with variables in shell syntax', () => {
    const text = `{ "mcpServers": { "api": {
      "type": "http", "url": "\${API_BASE:-https://api.example.com}/mcp", "headers": { "Authorization": "Bearer \${API_KEY}" }
    } } }`
    expect(imported(text)).toEqual({
      backends: { api: { url: '${env:API_BASE}/mcp', headers: { Authorization: 'Bearer ${env:API_KEY}' } } },
      left: [
        {
          what: '${API_BASE:-https://api.example.com}',
          why: 'a variable has no default here: set API_BASE before starting',
        },
      ],
    })
  })

  test('from Claude Code, also those of the project', () => {
    const servers = { shop: { type: 'stdio', command: 'npx', args: ['-y', 'shop'] } }
    const other = { mcpServers: { other: { command: 'x' } } }
    const file = { mcpServers: {}, projects: { '/home/ada/shop': { mcpServers: servers }, '/home/ada/other': other } }
    expect(imported(JSON.stringify(file), '/home/ada/.claude.json')).toEqual({
      backends: { shop: { command: 'npx', args: ['-y', 'shop'], cwd: '/home/ada/shop' } },
      left: [],
    })
  })

  test('from Roo Code, in the folder of the project', () => {
    const text = '{ "mcpServers": { "a": { "command": "x", "args": ["${workspaceFolder}/a.js"], "alwaysAllow": [] } } }'
    expect(imported(text, '/p/.roo/mcp.json').backends).toEqual({
      a: { command: 'x', args: ['/p/a.js'], cwd: '/p' },
    })
  })

  test('with paths that start at the folder of the project', () => {
    const servers = { a: { command: './bin/a', cwd: 'sub' }, b: { command: 'b', args: ['./c'], cwd: '${env:HOME}/d' } }
    expect(imported(JSON.stringify({ servers }), '/p/.vscode/mcp.json').backends).toEqual({
      a: { command: '/p/bin/a', cwd: '/p/sub' },
      b: { command: 'b', args: ['./c'], cwd: '${env:HOME}/d' },
    })
  })

  test('from Continue, with the headers of a remote server', () => {
    const options = { headers: { Authorization: 'Bearer ${{ secrets.T }}' }, timeout: 5 }
    const remote = { name: 'far', type: 'streamable-http', url: 'https://x.example/mcp', requestOptions: options }
    const { backends, left } = imported(JSON.stringify({ mcpServers: [remote] }))
    expect(backends).toEqual({ far: { url: remote.url, headers: { Authorization: 'Bearer ${env:T}' } } })
    expect(left).toContainEqual({ what: 'mcpServers[0].requestOptions', why: 'only its headers are taken over' })
  })

  test('from Continue, whose servers are a list', () => {
    const text =
      'mcpServers:\n  - { name: My SQLite, command: npx, args: [-y, mcp-sqlite] }\n  - { command: x, env: null }'
    expect(imported(text)).toEqual({
      backends: { 'my-sqlite': { command: 'npx', args: ['-y', 'mcp-sqlite'] }, '2': { command: 'x' } },
      left: [{ what: 'mcpServers[1].env', why: 'it has no value' }],
    })
  })

  test.each(['config.yaml', 'config.yml'])('from Continue, whose %s has URLs without quotes', (name) => {
    const text = 'mcpServers:\n  - name: docs # //\n    url: https://mcp.example.com/mcp\n'
    expect(imported(text, `/home/ada/.continue/${name}`)).toEqual({
      backends: { docs: { url: 'https://mcp.example.com/mcp' } },
      left: [],
    })
  })

  test('from Continue, with secrets that it keeps itself', () => {
    const text =
      "mcpServers:\n  - { name: a, command: x, env: { TOKEN: '${{ secrets.my-token }}', TEAM: '${{inputs.TEAM}}' } }"
    const why = 'its value is not in this file: set the environment variable'
    expect(imported(text, '/home/ada/.continue/config.yaml')).toEqual({
      backends: { a: { command: 'x', env: { TOKEN: '${env:MY_TOKEN}', TEAM: '${env:TEAM}' } } },
      left: [
        { what: '${{ secrets.my-token }}', why: `${why} MY_TOKEN before starting` },
        { what: '${{inputs.TEAM}}', why: `${why} TEAM before starting` },
      ],
    })
  })

  test('from 1MCP, with program and arguments in one list', () => {
    const text =
      '{ "mcpServers": { "a": { "command": ["npx", "-y"], "args": ["x"] }, "off": { "command": [], "args": [] } } }'
    expect(imported(text)).toEqual({
      backends: { a: { command: 'npx', args: ['-y', 'x'] } },
      left: [{ what: 'mcpServers.off', why: 'it has neither a command nor a url' }],
    })
  })

  test.each([
    ['$TOKEN', '${env:TOKEN}'],
    ['Bearer $TOKEN', 'Bearer ${env:TOKEN}'],
    ['TOKEN=$TOKEN', 'TOKEN=${env:TOKEN}'],
    ['${token}', '${env:token}'],
    ['${env:TOKEN:-none}', '${env:TOKEN}'],
    ['pa$WORD', 'pa$WORD'],
    ['$ecret', '$ecret'],
    ['echo $HOME', 'echo $HOME'],
    ['${env:ProgramFiles(x86)}', '${env:ProgramFiles(x86)}'],
  ])('with the variable %s', (variable, reference) => {
    const text = JSON.stringify({ mcpServers: { a: { command: 'x', args: [variable] } } })
    expect(imported(text).backends).toEqual({ a: { command: 'x', args: [reference] } })
  })

  test.each([
    ['headersHelper', 'no program is run for headers: write them under headers, secrets as ${env:NAME}'],
    ['requestInit', 'write its headers under headers, secrets as ${env:NAME}'],
    ['inheritParentEnv', 'a program gets few variables: write each other one under env as NAME: ${env:NAME}'],
    ['tags', 'it is only for that program'],
  ])('without %s, and with what to do about it', (word, why) => {
    const text = JSON.stringify({ mcpServers: { a: { command: 'x', [word]: 'y' } } })
    expect(imported(text).left).toEqual([{ what: `mcpServers.a.${word}`, why }])
  })

  test.each(['HTTPS://mcp.example.com/mcp', 'ws://mcp.example.com/mcp', 'wss://mcp.example.com/mcp', '${env:URL}'])(
    'at %s',
    (url) => expect(imported(JSON.stringify({ mcpServers: { a: { url } } })).backends).toEqual({ a: { url } }),
  )

  test('a variable that a server sets for its program is left to the program, as a client leaves it', () => {
    const text = `{ "mcpServers": { "remote": {
      "command": "npx", "args": ["mcp-remote", "https://mcp.example.com/mcp", "--header", "Authorization:\${AUTH_HEADER}"],
      "env": { "AUTH_HEADER": "Bearer \${API_KEY}" }
    } } }`
    expect(imported(text)).toEqual({
      backends: {
        remote: {
          command: 'npx',
          args: ['mcp-remote', 'https://mcp.example.com/mcp', '--header', 'Authorization:${AUTH_HEADER}'],
          env: { AUTH_HEADER: 'Bearer ${env:API_KEY}' },
        },
      },
      left: [],
    })
  })

  test('from Cursor, in the folder of the project', () => {
    const text = `{ "mcpServers": {
      "local": { "command": "node", "args": ["\${workspaceFolder}/server.js", "\${userHome}"], "env": { "T": "\${env:T}" } },
      "remote": { "url": "https://mcp.example.com/mcp", "headers": { "X-Token": "\${env:T}" }, "auth": { "CLIENT_ID": "a" } }
    } }`
    expect(imported(text, '/home/ada/project/.cursor/mcp.json')).toEqual({
      backends: {
        local: {
          command: 'node',
          args: ['/home/ada/project/server.js', '${env:HOME}'],
          env: { T: '${env:T}' },
          cwd: '/home/ada/project',
        },
        remote: { url: 'https://mcp.example.com/mcp', headers: { 'X-Token': '${env:T}' } },
      },
      left: [
        {
          what: 'mcpServers.remote.auth',
          why: 'each caller signs in with auth: { oauth: {} }, or all share a token with auth: { bearer: ${env:TOKEN} }',
        },
      ],
    })
  })

  test('from VS Code, with comments, trailing commas, prompts and variable files', () => {
    const text = `{
      // What the user is asked for
      "inputs": [{ "type": "promptString", "id": "github-token", "description": "GitHub token", "password": true },],
      "servers": {
        "github": {
          "type": "stdio", "command": "docker", /* as it says */ "args": ["run", "ghcr.io/github/github-mcp-server"],
          "env": { "TOKEN": "\${input:github-token}", "GONE": null }, "envFile": "\${workspaceFolder}/.env",
        },
        "docs": { "type": "http", "url": "https://docs.example.com/mcp", "headers": { "A": "\${input:github-token}" } },
        "old": { "type": "sse", "url": "http://localhost:3000/sse" },
        "socket": { "type": "http", "url": "unix:///var/run/mcp.sock" },
        "odd": { "command": "x", "args": ["\${config:some.setting}"] },
      },
    }`
    expect(imported(text, '/p/.vscode/mcp.json')).toEqual({
      backends: {
        github: {
          command: 'docker',
          args: ['run', 'ghcr.io/github/github-mcp-server'],
          env: { TOKEN: '${env:GITHUB_TOKEN}' },
          cwd: '/p',
        },
        docs: { url: 'https://docs.example.com/mcp', headers: { A: '${env:GITHUB_TOKEN}' } },
        old: { url: 'http://localhost:3000/sse' },
        odd: { command: 'x', args: ['$${config:some.setting}'], cwd: '/p' },
      },
      left: [
        {
          what: '${input:github-token}',
          why: 'there is no prompt for it: set the environment variable GITHUB_TOKEN (GitHub token) before starting',
        },
        { what: 'servers.github.env.GONE', why: 'it has no value' },
        {
          what: 'servers.github.envFile',
          why: 'variable files are not read: write each variable under env as NAME: ${env:NAME}',
        },
        { what: 'servers.socket', why: 'only addresses with http, https, ws or wss can be reached' },
        { what: '${config:some.setting}', why: 'has no meaning here, and is used as plain text' },
      ],
    })
  })

  test('from Windsurf and Cline, without disabled ones', () => {
    const text = `{ "mcpServers": {
      "wind": { "serverUrl": "https://wind.example.com/mcp", "disabledTools": ["rm"] },
      "cline": { "command": "x", "disabled": false, "autoApprove": ["read"], "timeout": 60, "transportType": "stdio" },
      "off": { "command": "y", "disabled": true },
      "inactive": { "command": "y", "isActive": false },
      "empty": {},
      "text": "npx"
    } }`
    expect(imported(text)).toEqual({
      backends: { wind: { url: 'https://wind.example.com/mcp' }, cline: { command: 'x' } },
      left: [
        {
          what: 'mcpServers.wind.disabledTools',
          why: 'a tenant selects its tools: tools: { deny: [name:tool] }',
        },
        { what: 'mcpServers.cline.autoApprove', why: 'the client decides which tools run without a confirmation' },
        {
          what: 'mcpServers.cline.timeout',
          why: 'its unit differs between programs: set the time limit of a call with timeout: 30s',
        },
        { what: 'mcpServers.off', why: 'it is switched off there' },
        { what: 'mcpServers.inactive', why: 'it is switched off there' },
        { what: 'mcpServers.empty', why: 'it has neither a command nor a url' },
        { what: 'mcpServers.text', why: 'it is not a mapping' },
      ],
    })
  })

  test('from Zed, in its current and its former format', () => {
    const text = `{ "theme": "One Dark", "context_servers": {
      "now": { "source": "custom", "command": "x", "args": ["a"], "env": {} },
      "before": { "command": { "path": "y", "args": ["b"], "env": { "C": "d" } } },
      "extension": { "source": "extension", "settings": {} },
      "off": { "enabled": false, "command": "z" }
    } }`
    expect(imported(text)).toEqual({
      backends: { now: { command: 'x', args: ['a'], env: {} }, before: { command: 'y', args: ['b'], env: { C: 'd' } } },
      left: [
        { what: 'context_servers.extension', why: 'it comes with an extension of that program' },
        { what: 'context_servers.off', why: 'it is switched off there' },
      ],
    })
  })
})

test('servers whose names become equal stay separate', () => {
  const text = '{ "mcpServers": { "A b": { "command": "x" }, "a-B": { "command": "y" }, "a_b": { "command": "z" } } }'
  const { backends, left } = imported(text)
  expect(Object.keys(backends)).toEqual(['a-b', 'a-b-2', 'a-b-3'])
  expect(left[0]).toEqual({ what: 'mcpServers.a-B', why: 'another one has its name: it is a-b-2 here' })
})

test.each([
  ['{ "a": 1 }', 'it has no servers: expected one of mcpServers, servers, mcp.servers, context_servers'],
  ['[]', 'it has no servers: expected one of mcpServers, servers, mcp.servers, context_servers'],
])('%s has nothing to import', (text, why) => {
  expect(imported(text)).toEqual({ backends: {}, left: [{ what: '/home/ada/mcp.json', why }] })
})

test('a file of Codex is reported as TOML', () => {
  expect(imported('[mcp_servers.a]\ncommand = "x"', '/home/ada/.codex/config.toml').left).toEqual([
    { what: '/home/ada/.codex/config.toml', why: 'it is TOML: expected JSON or YAML' },
  ])
})

test('an unreadable file is reported with the position', () => {
  expect(imported('{\n"mcpServers": {').left).toEqual([
    { what: '/home/ada/mcp.json:2:16', why: 'it cannot be read: got the end of the file, expected a closing }' },
  ])
})

test('imported and printed servers are a valid configuration', () => {
  const text = `{ "mcpServers": {
    "One": { "command": "node", "args": ["a: b", "# c", "yes", "\${env:TOKEN}", "\${vault:x}"], "env": { "N": "1" } },
    "Two": { "url": "https://two.example.com/mcp" }
  } }`
  const printed = printConfig({ backends: imported(text, join(parsing.folder, 'mcp.json')).backends })
  expect(printed).toMatch(/^# The configuration of Junctor\.\n/)
  expect(parsing.valid(printed).backends).toMatchObject([
    {
      name: 'one',
      options: { command: 'node', args: ['a: b', '# c', 'yes', 'hunter2', '${vault:x}'], env: { N: '1' } },
    },
    { name: 'two', options: { url: 'https://two.example.com/mcp' } },
  ])
})

test('spaces of other kinds are quoted where the reader takes them for a mistake', () => {
  const values = { 'a\u00a0b': '\u00a0c', list: ['-\u00a0d', { '\u2003': '' }], inside: 'e\u00a0f' }
  const { backends } = parsing.valid(printConfig({ backends: { one: { plugin: '@acme/anything', options: values } } }))
  expect(backends[0]?.options).toEqual({ options: values })
})

test('every printed configuration is read back unchanged', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false })), (options) => {
      const text = JSON.stringify(options)
      fc.pre(!text.includes('${'))
      const values = JSON.parse(text) as JsonObject
      const { backends } = parsing.valid(
        printConfig({ backends: { one: { plugin: '@acme/anything', options: values } } }),
      )
      expect(backends[0]?.options).toEqual({ options: values })
    }),
  )
})

test('importing any file gives backends and reasons', () => {
  const leaf = fc.constantFrom<unknown>('x', '${input:a b}', '${workspaceFolder}', 1, true, null)
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom('command', 'url', 'args', 'env', 'headers', 'type', 'path', '__proto__'),
        tie('value'),
      ),
    ),
  }))
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), (servers) => {
      const { backends, left } = imported(JSON.stringify({ mcpServers: servers }))
      expect(Object.keys(backends).length + left.length).toBeGreaterThanOrEqual(Object.keys(servers).length)
    }),
  )
})
