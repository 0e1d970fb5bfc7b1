import { afterAll, describe, expect, test } from 'vitest'
import { createParsing } from './parsing.ts'

const parsing = createParsing()
afterAll(() => parsing.remove())

describe('each problem says where it is, what came, what was expected, and what to do', () => {
  test.each([
    [
      'a slip in a word at the top',
      'lisen:\n  http: {}',
      '1:1 lisen | an unknown word | audit, auth, backends, events, fabric, gatewayTools, limits, listen, mcpServers, naming, profile, publicUrl, secrets, server, tenants or timeout | Did you mean "listen"?',
    ],
    [
      'a slip further down',
      'listen:\n  http:\n    prot: 1',
      '3:5 listen.http.prot | an unknown word | allowedHosts, allowedOrigins, host, port or tls | Did you mean "port"?',
    ],
    ['a word of nobody', 'naming: { style: x }', '1:11 naming.style | an unknown word | separator | Remove it.'],
    [
      'a port beyond all ports',
      'listen: { http: { port: 70000 } }',
      '1:25 listen.http.port | 70000 | at most 65535 | Correct it, for example: port: 3000',
    ],
    [
      'a port that is no number',
      'listen: { http: { port: http } }',
      '1:25 listen.http.port | "http" | a whole number | Correct it, for example: port: 3000',
    ],
    [
      'a duration without a unit',
      'timeout: 30',
      '1:10 timeout | 30 | a duration above zero, such as 500ms, 30s, 2m or 1h | Correct it, for example: timeout: 30s',
    ],
    [
      'no time at all',
      'timeout: 0s',
      '1:10 timeout | "0s" | a duration above zero, such as 500ms, 30s, 2m or 1h | Correct it, for example: timeout: 30s',
    ],
    ['a list instead of a mapping', 'listen: [http]', '1:9 listen | a list | a mapping | Correct it.'],
    ['a section without a value', 'backends:\n', '1:10 backends | nothing (null) | a mapping | Correct it.'],
    ['an unknown profile', 'profile: mpc', '1:10 profile | "mpc" | "mcp" | Correct it, for example: profile: mcp'],
    [
      'a fabric of the future',
      'fabric: { nats: {} }',
      '1:9 fabric | a mapping | "memory" | Correct it, for example: fabric: memory',
    ],
    [
      'a separator that no client takes',
      'naming: { separator: " " }',
      '1:22 naming.separator | " " | 1 to 8 letters, digits, or _ . : / - | Correct it, for example: separator: __',
    ],
    [
      'a public URL of no web',
      'publicUrl: ftp://user:hunter2@example.com/?token=hunter2',
      '1:12 publicUrl | "ftp://…@example.com/?…" | a URL that begins with https:// or http:// | Correct it, for example: publicUrl: https://gw.example.com',
    ],
    [
      'a URL where an origin belongs',
      'listen: { http: { allowedOrigins: [https://app.example.com/] } }',
      '1:36 listen.http.allowedOrigins[0] | "https://app.example.com/" | an origin: scheme, host and port, no more | Correct it.',
    ],
    [
      'a name that is none',
      'backends:\n  My_Files: { command: x }',
      '2:3 backends.My_Files | "My_Files" | a name of a to z, 0 to 9 and "-", at most 64 long, that does not begin with "-" | Choose another name.',
    ],
    [
      'a backend that is no mapping',
      'backends:\n  files: node server.js',
      '2:10 backends.files | "node server.js" | a mapping | Say what the backend is, for example: url: https://mcp.example.com/mcp',
    ],
    [
      'a backend of no kind',
      'backends:\n  files: { comand: node, timeout: 1s }',
      '2:3 backends.files | comand | exactly one of the words command, plugin or url | Did you mean "command"?',
    ],
    [
      'a backend of two kinds',
      'backends:\n  files: { command: node, url: https://x.example }',
      '2:3 backends.files | command and url | exactly one of the words command, plugin or url | Keep the one that says what the backend is, and remove the rest.',
    ],
    [
      'an unknown plugin',
      'backends:\n  demo: { plugin: "@junctor/plugin-dmeo" }',
      '2:19 backends.demo.plugin | "@junctor/plugin-dmeo" | @junctor/plugin-demo or @acme/weather | Did you mean "@junctor/plugin-demo"?',
    ],
    [
      'a word that neither the gateway nor the plugin knows',
      'backends:\n  files: { command: node, arg: [x] }',
      '2:27 backends.files.arg | an unknown word | args, askTimeout, command, cwd, env, headers, idle, isolation, maxLinks, prefix, timeout or url | Did you mean "args"?',
    ],
    [
      'an option of a plugin with a wrong value',
      'backends:\n  files: { command: node, args: server.js }',
      '2:33 backends.files.args | text of 9 characters | a list | Correct it.',
    ],
    [
      'an option of a plugin that is missing',
      'backends:\n  weather: { plugin: "@acme/weather" }',
      '2:12 backends.weather.city | nothing | text | Add it, for example: city: Oslo',
    ],
    [
      'a wrong value of what every backend has',
      'backends:\n  files:\n    command: node\n    isolation: none',
      '4:16 backends.files.isolation | "none" | "session", "tenant" or "shared" | Correct it, for example: isolation: session',
    ],
    [
      'a prefix that is no name',
      'backends:\n  files: { command: node, prefix: "a b" }',
      '2:35 backends.files.prefix | "a b" | a name of a to z, 0 to 9 and "-", or "" for none | Correct it, for example: prefix: search',
    ],
    [
      'a tenant with a backend that is not there',
      'backends: { files: { command: node } }\ntenants: { acme: { backends: [flies] } }',
      '2:31 tenants.acme.backends[0] | "flies" | the backend files | Did you mean "files"?',
    ],
    [
      'a pattern that would deny nothing',
      'backends: { files: { command: node } }\ntenants: { acme: { backends: [files], tools: { deny: ["flies:delete"] } } }',
      '2:55 tenants.acme.tools.deny[0] | "flies:delete" | the backend files | Did you mean "files"?',
    ],
    [
      'a pattern without a backend',
      'backends: { files: { command: node } }\ntenants: { acme: { backends: [files], tools: { deny: [delete] } } }',
      '2:55 tenants.acme.tools.deny[0] | "delete" | a pattern such as "search:*" or "files:delete_*" | Correct it.',
    ],
    [
      'a tenant without backends',
      'tenants:\n  acme: {}',
      '2:9 tenants.acme.backends | nothing | a list | Add it, for example: backends: ["search"]',
    ],
    [
      'a tenant whose name is none',
      'tenants: { Acme: { backends: [] } }',
      '1:12 tenants.Acme | "Acme" | a name of a to z, 0 to 9 and "-", at most 64 long, that does not begin with "-" | Choose another name.',
    ],
    [
      'a key instead of its hash',
      'auth: { apiKeys: { ci: { hash: hunter2 } } }',
      '1:32 auth.apiKeys.ci.hash | text of 7 characters | "sha256:" and 64 hexadecimal digits, as `junctor hash-key` prints them | Correct it.',
    ],
    [
      'a key for a tenant that is not there',
      `auth: { apiKeys: { ci: { hash: "sha256:${'0'.repeat(64)}", tenants: [acme] } } }`,
      '1:117 auth.apiKeys.ci.tenants[0] | "acme" | the tenant default | Correct it, or add the tenant.',
    ],
    [
      'a key that is called something else',
      'auth: { apiKeys: { "c i": { hash: x } } }',
      '1:20 auth.apiKeys."c i" | "c i" | a name of a to z, 0 to 9 and "-", at most 64 long, that does not begin with "-" | Choose another name.',
    ],
    [
      'a key under two names',
      `auth:\n  apiKeys:\n    a: { hash: "sha256:${'0'.repeat(64)}" }\n    b: { hash: "sha256:${'0'.repeat(64)}" }`,
      '4:16 auth.apiKeys.b.hash | the hash of "a" | a key of its own for each name | Make another key, or remove one of the two.',
    ],
    [
      'a URL where a host belongs',
      'listen: { http: { allowedHosts: [https://gw.example.com] } }',
      '1:34 listen.http.allowedHosts[0] | "https://gw.example.com" | a host name, with or without a port | Correct it.',
    ],
    [
      'an open door to the network',
      'listen:\n  http: { host: 0.0.0.0 }',
      '2:17 listen.http.host | "0.0.0.0" | an address of this machine only, such as 127.0.0.1, as long as nobody has to prove who they are | Add auth.apiKeys (`junctor hash-key` makes their hashes), or say auth: { anonymous: true }.',
    ],
    [
      'a seal that can be guessed',
      'secrets: { seal: [hunter2] }',
      '1:19 secrets.seal[0] | text of 7 characters | at least 32 characters, as `openssl rand -base64 32` prints them | Correct it.',
    ],
    [
      'a variable that is not set, and only that',
      'publicUrl: ${env:NOPE}',
      '1:12 publicUrl | ${env:NOPE} | the environment variable NOPE to be set | Set it before starting: export NOPE=…',
    ],
    [
      'a variable that is set to nonsense, without its value',
      'listen: { http: { port: "${env:TOKEN}" } }',
      '1:25 listen.http.port | ${env:TOKEN} | a whole number | Correct it, for example: port: 3000',
    ],
    [
      'a size in another unit',
      'limits: { body: 4MB }',
      '1:17 limits.body | "4MB" | a size such as 512B, 64KiB or 4MiB | Correct it, for example: body: 4MiB',
    ],
    [
      'a limit of none',
      'limits: { sessions: 0 }',
      '1:21 limits.sessions | 0 | at least 1 | Correct it, for example: sessions: 100',
    ],
    [
      'text that is not YAML',
      'a: [1',
      '1:6  | the end of the file | text that can be read (flow sequence in block collection must be sufficiently indented and end with a ]) | Correct the line, or the one before it.',
    ],
    [
      'a list at the top',
      '- a',
      '1:1  | a list | a mapping | Write words and what they stand for, for example: backends: {}',
    ],
  ])('%s', (_name, text, problem) => {
    expect(parsing.problems(text)).toEqual([problem])
  })

  test('where a file is wanted and not there, or is something else', () => {
    expect(parsing.problems('listen: { http: { tls: { cert: nope.crt, key: not-pem } } }')).toEqual([
      `1:32 listen.http.tls.cert | "nope.crt" | a file that can be read (ENOENT) | Correct the path; it starts from the folder of the configuration.`,
      `1:47 listen.http.tls.key | text of 7 characters | a file in PEM | Convert it, or name another one.`,
    ])
  })
})

test('all problems are told at once, in the order of the file, and once each', () => {
  const told = parsing.problems(`
timeout: soon
listen: { http: { host: 0.0.0.0, port: -1 } }
backends:
  one: { comand: x }
  two: { url: nowhere, headers: { authorization: "\${env:NOPE}" } }
  three: { plugin: "@acme/weather", timeout: 5, colour: red }
tenants:
  acme: { backends: [one, four] }
  Bad: { profile: x }
auth: { apiKeys: { ci: { hash: x, tenants: [acme] } } }
unknown: 1
`)
  expect(told.map((line) => line.split(' | ', 1)[0])).toEqual([
    '2:10 timeout',
    '3:40 listen.http.port',
    '5:3 backends.one',
    '6:15 backends.two.url',
    '6:50 backends.two.headers.authorization',
    '7:10 backends.three.city',
    '7:46 backends.three.timeout',
    '7:49 backends.three.colour',
    '9:27 tenants.acme.backends[1]',
    '10:3 tenants.Bad',
    '10:8 tenants.Bad.backends',
    '10:19 tenants.Bad.profile',
    '11:32 auth.apiKeys.ci.hash',
    '12:1 unknown',
  ])
})

test('no secret is in any problem, wherever the file has it', () => {
  const told = parsing.problems(`
secrets: { seal: hunter2 }
auth: { apiKeys: { ci: { hash: hunter2, tenants: hunter2 } }, anonymous: hunter2 }
backends:
  a: { command: x, args: hunter2, env: hunter2 }
  b: { url: "htp:/hunter2", headers: { authorization: [hunter2] } }
  c: { plugin: "\${env:TOKEN}" }
  d: { command: [hunter2], env: { TOKEN: { x: hunter2 } } }
listen: { http: { host: "\${env:TOKEN}", tls: { cert: "\${env:TOKEN}", key: hunter2 } } }
`)
  expect(told.length).toBeGreaterThan(8)
  expect(told.filter((line) => line.includes('hunter2') && !line.includes('backends.b.url'))).toEqual([])
})
