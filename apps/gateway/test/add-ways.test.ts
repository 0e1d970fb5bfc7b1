import { parseConfig } from '@junctor/config'
import type { JsonObject } from '@junctor/jsonrpc'
import { describe, expect, test } from 'vitest'
import { readInputs } from '../src/add/read-inputs.ts'
import { addTarget } from '../src/add/add-target.ts'
import { planText } from '../src/add/plan-text.ts'
import { chooseWay } from '../src/add/registry/choose-way.ts'
import { documentWays, questionsOf, type Way } from '../src/add/registry/document-ways.ts'
import { readServerDocument } from '../src/add/registry/server-document.ts'
import { wayBackend } from '../src/add/registry/way-backend.ts'
import { plugins } from '../src/plugins.ts'
import { imageServer, npmServer, remoteServer, withInputs } from './registry-fixtures.ts'

const isHere = (): boolean => true
const stdio = { type: 'stdio' }

function waysOf(document: JsonObject): readonly Way[] {
  const read = readServerDocument(document)
  if (read.kind === 'unreadable') throw new Error(read.why)
  return documentWays(read.document)
}

/** The backend of a document with these inputs, or why there is none. */
function backendOf(document: JsonObject, inputs: readonly string[] = [], choice?: number): unknown {
  const chosen = chooseWay(waysOf(document), choice, isHere)
  if (chosen.kind === 'none') return chosen.why
  const given = readInputs(inputs, questionsOf(chosen.way))
  if (given.kind === 'refused') return given.whys
  const made = wayBackend(chosen.way, given.answers)
  if (made.kind === 'missing') return made.questions.map(({ name }) => name)
  return made.kind === 'refused' ? made.why : made.backend
}

const all = ['city=Oslo', 'city=Rome', 'WEATHER_KEY', 'PROXY=http://p:1', 'user=ada', 'p=8080', 'quiet=true']

describe('a package becomes a command', () => {
  test('with its exact version, and its inputs in their places', () => {
    expect(backendOf(npmServer(withInputs), all)).toEqual({
      command: 'npx',
      args: [
        '-y',
        '@acme/weather-mcp@1.2.0',
        'serve',
        'Oslo',
        'Rome',
        '--units=metric',
        '-p',
        '8080',
        '--verbose',
        '--quiet',
      ],
      env: {
        WEATHER_KEY: '${env:WEATHER_KEY}',
        LOG_LEVEL: 'info',
        PROXY: 'http://p:1',
        STORE: 'user=ada;mode=ro;{other}',
      },
    })
  })

  test('without what is optional and not given', () => {
    expect(backendOf(npmServer(withInputs), ['city=Oslo', 'WEATHER_KEY=${file:./key.txt}', 'quiet=false'])).toEqual({
      command: 'npx',
      args: ['-y', '@acme/weather-mcp@1.2.0', 'serve', 'Oslo', '--units=metric', '--verbose'],
      env: { WEATHER_KEY: '${file:./key.txt}', LOG_LEVEL: 'info' },
    })
  })

  test('what is required and not given is listed as a whole', () => {
    expect(backendOf(npmServer(withInputs))).toEqual(['city', 'WEATHER_KEY'])
  })

  test('of a container: no variable of the publisher reaches docker itself, and no secret is an argument', () => {
    const inputs = ['source=/srv/a', 'source=/srv/b', 'token', 'API_KEY=${file:key}']
    expect(backendOf(imageServer, inputs)).toEqual({
      command: 'docker',
      args: [
        'run',
        '-i',
        '--rm',
        '--mount=type=bind,src=/srv/a,dst=/project',
        '--mount=type=bind,src=/srv/b,dst=/project',
        '-e',
        'FILES_TOKEN',
        '-e',
        'DOCKER_HOST=tcp://evil.example',
        '-e',
        'API_KEY',
        'ghcr.io/acme/files-mcp:3.1.0',
        '/project',
      ],
      env: { FILES_TOKEN: '${env:TOKEN}', API_KEY: '${file:key}' },
    })
  })

  test.each([
    ['pypi', { identifier: 'weather-mcp', version: '0.5.0' }, ['uvx', 'weather-mcp@0.5.0', '-v']],
    [
      'nuget',
      { identifier: 'Acme.Weather', version: '0.5.0-beta' },
      ['dnx', 'Acme.Weather@0.5.0-beta', '--yes', '--', '-v'],
    ],
    [
      'oci',
      { identifier: 'acme/w', version: '1.0.2', registryBaseUrl: 'https://docker.io' },
      ['docker', 'run', '-i', '--rm', 'acme/w:1.0.2', '-v'],
    ],
    [
      'oci',
      { identifier: 'acme/w:2', registryBaseUrl: 'https://ghcr.io' },
      ['docker', 'run', '-i', '--rm', 'ghcr.io/acme/w:2', '-v'],
    ],
    [
      'oci',
      { identifier: `acme/w@sha256:${'a'.repeat(64)}`, runtimeHint: 'podman' },
      ['podman', 'run', '-i', '--rm', `acme/w@sha256:${'a'.repeat(64)}`, '-v'],
    ],
    [
      'npm',
      { identifier: 'w', version: '1.0.0', registryBaseUrl: 'https://npm.acme.example/' },
      ['npx', '-y', '--registry=https://npm.acme.example/', 'w@1.0.0', '-v'],
    ],
  ])('of %s: %j', (registryType, members, [command, ...args]) => {
    const described = { registryType, transport: stdio, packageArguments: [{ type: 'named', name: '-v' }], ...members }
    expect(backendOf(npmServer({}, { packages: [described] }))).toEqual({ command, args })
  })
})

describe('a package is refused', () => {
  test.each([
    ['a name that npx would read as an option', { identifier: '--registry=http://evil' }, 'is not a name of npm'],
    ['a name with another source', { identifier: 'git+https://evil/x' }, 'is not a name of npm'],
    ['a path', { identifier: '../../evil' }, 'is not a name of npm'],
    ['a path in a scope', { identifier: '@a/../b' }, 'is not a name of npm'],
    ['a range', { version: '^1.2.0' }, 'expected one exact version such as 1.2.3, got "^1.2.0"'],
    ['a part of a version', { version: '1' }, 'expected one exact version'],
    ['latest', { version: 'latest' }, 'expected one exact version'],
    ['a version with an option', { version: '1.0.0 --evil' }, 'expected one exact version'],
    ['no version', { version: undefined }, 'got none'],
    ['an unknown kind', { registryType: 'cargo' }, 'packages of "cargo" are not known: expected npm, pypi, oci, nuget'],
    ['a kind with the name of a member of all objects', { registryType: 'constructor' }, 'are not known'],
    ['a bundle', { registryType: 'mcpb', fileSha256: 'a'.repeat(64) }, 'a bundle (mcpb) is not unpacked by Junctor'],
    ['another program', { runtimeHint: '/bin/sh' }, 'it is to run with "/bin/sh": expected npx'],
    [
      'a server of its own',
      { transport: { type: 'streamable-http', url: 'http://localhost:1/mcp' } },
      'it serves streamable-http at http://localhost:1/mcp',
    ],
    ['a registry that is no URL', { registryBaseUrl: '--evil' }, 'packages cannot be taken from "--evil"'],
    [
      'a variable with a line of its own',
      { environmentVariables: [{ name: 'A=B' }] },
      '"A=B" is not a name of a variable',
    ],
    [
      'an image that docker would read as an option',
      { registryType: 'oci', identifier: '--privileged' },
      'is not a name of container images',
    ],
    [
      'an image without a tag',
      { registryType: 'oci', identifier: 'a/b', version: undefined },
      'expected one exact version',
    ],
    ['an image with the tag latest', { registryType: 'oci', identifier: 'a/b:latest' }, 'expected one exact version'],
    [
      'an option of uvx',
      { registryType: 'pypi', identifier: '--from', runtimeHint: undefined },
      'is not a name of PyPI',
    ],
  ])('%s', (_name, members, why) => {
    const described = { registryType: 'npm', identifier: 'w', version: '1.0.0', transport: stdio, ...members }
    const packages = [JSON.parse(JSON.stringify(described)) as JsonObject]
    expect(backendOf(npmServer({}, { packages }))).toContain(why)
  })
})

test.each([
  ['a name with a path', { name: '../../etc/passwd' }, 'name: a name such as io.github.acme/weather'],
  ['a name with two slashes', { name: 'a/b/c' }, 'name: a name such as'],
  ['a version of two lines', { version: '1.0\nrun: evil' }, 'version: text without control characters'],
  [
    'an argument with an escape',
    {
      packages: [
        {
          ...(npmServer()['packages'] as readonly JsonObject[])[0],
          packageArguments: [{ type: 'positional', value: '\u001b[2J' }],
        },
      ],
    },
    'packages[0].packageArguments[0].value: text without control characters',
  ],
  ['a package that is a text', { packages: ['evil'] }, 'packages[0]: '],
  ['packages as an object', { packages: {} }, 'packages: '],
  [
    'a wrong hash',
    { packages: [{ registryType: 'npm', identifier: 'a', transport: { type: 'stdio' }, fileSha256: 'x' }] },
    'packages[0].fileSha256: a SHA-256',
  ],
])('a document with %s cannot be read', (_name, members, why) => {
  const read = readServerDocument(npmServer({}, members))
  expect(read.kind === 'unreadable' ? read.why : '').toContain(why)
})

describe('a remote becomes a URL', () => {
  const variables = { region: { default: 'eu', choices: ['eu', 'us'] }, tenant: { isRequired: true } }
  const headers = [
    { name: 'Authorization', value: 'Bearer {key}', isRequired: true, variables: { key: { isSecret: true } } },
    { name: 'X-Mode', default: 'fast' },
    { name: 'X-Trace', description: 'optional' },
  ]
  const document = remoteServer('https://{region}.example.com/{tenant}/{literal}', { variables, headers })

  test('preferred to a package and to HTTP+SSE, with its variables', () => {
    expect(backendOf(document, ['tenant=acme', 'key'])).toEqual({
      url: 'https://eu.example.com/acme/{literal}',
      headers: { Authorization: 'Bearer ${env:KEY}', 'X-Mode': 'fast' },
    })
    expect(backendOf(document)).toEqual(['tenant', 'key'])
  })

  test.each([
    ['no choice', ['tenant=a', 'key', 'region=mars'], ['region: expected one of eu, us, got "mars"']],
    [
      'an unknown input',
      ['mars=1'],
      ['there is no input "mars": expected one of region, tenant, key, X-Mode, X-Trace'],
    ],
    ['an input given twice', ['tenant=a', 'tenant=b'], ['tenant was given twice']],
    [
      'a header of two lines',
      ['X-Mode=a\r\nEvil: 1'],
      ['X-Mode: expected text without control characters, got "a\\r\\nEvil: 1"'],
    ],
  ])('%s is refused', (_name, inputs, whys) => {
    expect(backendOf(document, inputs)).toEqual(whys)
  })

  test('the value of a secret is refused, and is in no message', () => {
    const whys = backendOf(document, ['tenant=a', 'key=hunter2'])
    expect(whys).toEqual([expect.stringContaining('key is a secret')])
    expect(JSON.stringify(whys)).not.toContain('hunter2')
  })

  test('another way can be chosen by its number', () => {
    expect(backendOf(document, [], 1)).toEqual({ url: 'https://search.example.com/sse' })
    expect(backendOf(document, [], 3)).toEqual({ command: 'uvx', args: ['search-mcp@2.0.0'] })
    expect(backendOf(document, [], 4)).toBe('expected --choice from 1 to 3, got 4')
  })

  test('of two packages, the one whose program is here is taken', () => {
    const two = npmServer(
      {},
      {
        packages: [
          { registryType: 'pypi', identifier: 'w', version: '1.0.0', transport: { type: 'stdio' } },
          { registryType: 'npm', identifier: 'w', version: '1.0.0', transport: { type: 'stdio' } },
        ],
      },
    )
    const programs = (here: readonly string[]): unknown => {
      const chosen = chooseWay(waysOf(two), undefined, (program) => here.includes(program))
      return chosen.kind === 'chosen' && chosen.way.kind === 'package' ? chosen.way.program : chosen
    }
    expect([programs(['npx']), programs(['npx', 'uvx']), programs([])]).toEqual(['npx', 'uvx', 'uvx'])
  })

  test.each([
    ['a header that is no header', { headers: [{ name: 'X\u00e9: y' }] }],
    ['a type that is not known', { type: 'websocket' }],
  ])('%s is not used', (_name, members) => {
    expect(waysOf(remoteServer('https://a.example/', members))[1]?.kind).toBe('unusable')
  })
})

/** A publisher must not read variables or files of the gateway. */
describe('references of a publisher stay text', () => {
  const parsed = (backend: unknown): unknown => {
    const text = JSON.stringify({ backends: { a: backend } })
    const read = parseConfig(text, { file: '/x/junctor.yaml', plugins, env: { STOLEN: 'secret', KEY: 'mine' } })
    return read.kind === 'valid' ? read.config.backends[0]?.options : read.problems
  }

  test.each([
    '${env:STOLEN}',
    '$${env:STOLEN}',
    '$$${env:STOLEN}',
    '${file:/etc/hostname}',
    '${ENV:STOLEN}',
    '{open}env:STOLEN}',
    '${env:{name}}',
    '${env{rest}',
  ])('%j', (value) => {
    const variables = { open: { default: '${' }, name: { default: 'STOLEN' }, rest: { default: ':STOLEN}' } }
    const meant = value.replace('{open}', '${').replace('{name}', 'STOLEN').replace('{rest}', ':STOLEN}')
    const environmentVariables = [{ name: 'A', value, variables }]
    expect(parsed(backendOf(npmServer({ environmentVariables })))).toMatchObject({ env: { A: meant } })
    const headers = [{ name: 'A', value, variables }]
    expect(parsed(backendOf(remoteServer('https://a.example/', { headers })))).toMatchObject({ headers: { A: meant } })
  })

  test('beside a reference of the user, which is replaced', () => {
    const value = 'Bearer {key} ${env:STOLEN}'
    const headers = [{ name: 'A', value, variables: { key: { isSecret: true, isRequired: true } } }]
    const backend = backendOf(remoteServer('https://a.example/', { headers }), ['key'])
    expect(parsed(backend)).toMatchObject({ headers: { A: 'Bearer mine ${env:STOLEN}' } })
  })

  test('a dollar sign directly before a reference is refused: the reference would be text', () => {
    const headers = [{ name: 'A', value: '${key}', variables: { key: { isSecret: true, isRequired: true } } }]
    expect(backendOf(remoteServer('https://a.example/', { headers }), ['key'])).toBe(
      'A: a "$" stands directly before a value that is given by reference',
    )
  })
})

test.each([
  [['io.github.acme/weather'], { kind: 'registered', name: 'io.github.acme/weather' }],
  [['io.github.acme/weather', '--yes'], { kind: 'registered', name: 'io.github.acme/weather' }],
  [['weather'], { kind: 'registered', name: 'weather' }],
  [['./server.json'], { kind: 'file', file: './server.json' }],
  [['https://mcp.example.com/mcp'], { kind: 'url', url: 'https://mcp.example.com/mcp', name: 'example' }],
  [['https://api.search.example.com/mcp'], { kind: 'url', url: 'https://api.search.example.com/mcp', name: 'search' }],
  [['http://127.0.0.1:4000/mcp'], { kind: 'url', url: 'http://127.0.0.1:4000/mcp', name: '127-0-0-1-4000' }],
  [
    ['npx', '-y', '@scope/server@1.0.0', '.'],
    { kind: 'command', backend: { command: 'npx', args: ['-y', '@scope/server@1.0.0', '.'] }, name: 'server' },
  ],
  [
    ['uvx', 'mcp-server-fetch'],
    { kind: 'command', backend: { command: 'uvx', args: ['mcp-server-fetch'] }, name: 'mcp-server-fetch' },
  ],
  [
    ['docker', 'run', '-i', '--rm', '-e', 'KEY', 'ghcr.io/a/files:1'],
    {
      kind: 'command',
      backend: { command: 'docker', args: ['run', '-i', '--rm', '-e', 'KEY', 'ghcr.io/a/files:1'] },
      name: 'files',
    },
  ],
  [
    ['node', './my_server.mjs', '--port', '1'],
    { kind: 'command', backend: { command: 'node', args: ['./my_server.mjs', '--port', '1'] }, name: 'my-server' },
  ],
  [['npx'], { kind: 'command', backend: { command: 'npx' }, name: 'npx' }],
])('the words %j', ([word = '', ...rest], target) => {
  expect(addTarget(word, (program) => program === 'npx', rest)).toEqual(target)
})

test('what is shown has every word of the command, and no character that changes a terminal', () => {
  const long = 'x'.repeat(5000)
  const backend = { command: 'npx', args: ['a b', `${long}\u202eevil`, ''], env: { A: '\u2028b' } }
  const about = ['title \u001b[31m\nThe backend a in b will']
  const text = planText(
    { name: 'a', backend, about, warnings: [], optional: [], others: [], pin: undefined },
    'a',
    '/x/junctor.yaml',
  )
  expect(text).toBe(`title \\u001b[31m\\nThe backend a in b will

The backend a in /x/junctor.yaml will
  run   npx "a b" "${long}\\u202eevil" ""
  with  A=\\u2028b
`)
})
