import { profiles } from '@junctor/protocol'
import { oneOf } from '../src/findings/expectation.ts'

const known = oneOf(Object.keys(profiles).map((name) => JSON.stringify(name)))

/**
 * A broken file, and its only problem as `line:column path | got | expected | next`. For `unreadable_file`, the name of
 * the file.
 */
export type BrokenFile = readonly [name: string, text: string, problem: string]

/** Broken files of the kind `wrong_value`. */
export const wrongValues: readonly BrokenFile[] = [
  [
    'a port above 65535',
    'listen: { http: { port: 70000 } }',
    '1:25 listen.http.port | 70000 | at most 65535 | Correct it, for example: port: 3000',
  ],
  [
    'a port that is no number',
    'listen: { http: { port: http } }',
    '1:25 listen.http.port | "http" | a whole number | Correct it, for example: port: 3000',
  ],
  ...[
    ['mcp.example.com/mcp', 'https'],
    ['localhost/mcp', 'http'],
    ['127.0.0.1:8080', 'http'],
  ].map(([url, scheme]): BrokenFile => [
    `the URL ${url} without a scheme`,
    `backends: { a: { url: '${url}' } }`,
    `1:23 backends.a.url | "${url}" | a URL such as https://mcp.example.com/mcp | Did you mean "${scheme}://${url}"?`,
  ]),
  [
    'an extension without a prefix',
    'relayExtensions: [notes]',
    '1:19 relayExtensions[0] | "notes" | an identifier such as "com.example/notes" | Correct it.',
  ],
  [
    'origins of views made from a URL that is not there',
    'backends: { files: { command: x, appDomain: recompute } }',
    '1:45 backends.files.appDomain | "recompute" without publicUrl | a file with publicUrl, from which the origins are made | Set publicUrl to the URL that clients use, or choose "drop".',
  ],
  [
    'a duration without a unit',
    'timeout: 30',
    '1:10 timeout | 30 | a duration above zero, such as 500ms, 30s, 2m or 1h | Correct it, for example: timeout: 30s',
  ],
  [
    'more time than a timer can wait',
    'limits: { sessionIdle: 30d }',
    '1:24 limits.sessionIdle | "30d" | a duration of at most 24d | Correct it, for example: sessionIdle: 30s',
  ],
  [
    'more levels than can be printed',
    'limits: { depth: 20000 }',
    '1:18 limits.depth | 20000 | at most 1000 | Correct it, for example: depth: 64',
  ],
  [
    'more memory than there is',
    'limits: { heapPercent: 150 }',
    '1:24 limits.heapPercent | 150 | at most 100 | Correct it, for example: heapPercent: 95',
  ],
  [
    'a body that is no text',
    'limits: { body: 1GiB }',
    '1:17 limits.body | "1GiB" | a size of at most 256MiB | Correct it, for example: body: 4MiB',
  ],
  [
    'headers that no request fits',
    'limits: { headers: 512B }',
    '1:20 limits.headers | text of 4 characters | a size of at least 1KiB | Correct it, for example: headers: 16KiB',
  ],
  [
    'no time at all',
    'timeout: 0s',
    '1:10 timeout | "0s" | a duration above zero, such as 500ms, 30s, 2m or 1h | Correct it, for example: timeout: 30s',
  ],
  [
    'a list instead of text',
    'listen: { http: { host: [] } }',
    '1:25 listen.http.host | an empty list | text | Correct it, for example: host: 127.0.0.1',
  ],
  [
    'text instead of a list of addresses',
    `fabric: { nats: { servers: '', key: ${'k'.repeat(32)} } }`,
    '1:28 fabric.nats.servers | "" | a list | Write each item by itself between brackets, for example: servers: [first, second]',
  ],
  [
    'a number beyond all bounds',
    'listen: { http: { port: 1e21 } }',
    '1:25 listen.http.port | 1e+21 | at most 65535 | Correct it, for example: port: 3000',
  ],
  [
    'backends in a list, which tenants and rates name',
    'backends: [{ command: node }]\ntenants: { default: { backends: [files] } }\nlimits: { rates: { callsPerMinuteOfTools: { "files:x": 1 } } }',
    '1:11 backends | a list | a mapping | Write words and what they stand for, for example: name: value',
  ],
  [
    'tenants in a list, which keys name',
    `tenants: [acme]\nauth: { apiKeys: { ci: { hash: 'sha256:${'0'.repeat(64)}', tenants: [acme] } } }`,
    '1:10 tenants | a list | a mapping | Write words and what they stand for, for example: name: value',
  ],
  [
    'a public URL without a scheme, which others need',
    'publicUrl: gw.example.com\nauth: { server: files }\nbackends: { files: { command: x, appDomain: recompute } }',
    '1:12 publicUrl | "gw.example.com" | a URL that begins with https:// or http:// | Did you mean "https://gw.example.com"?',
  ],
  [
    'one file for events and audit',
    'events: { file: ./log.ndjson }\naudit: { file: log.ndjson }',
    '2:16 audit.file | the file of events.file | a file of its own | Choose another file, for example: file: ./audit.ndjson',
  ],
  [
    'a list instead of a mapping',
    'listen: [http]',
    '1:9 listen | a list | a mapping | Write words and what they stand for, for example: name: value',
  ],
  [
    'a section without a value',
    'backends:\n',
    '1:10 backends | nothing (null) | a mapping | Remove "backends", or write what belongs to it.',
  ],
  ['an unknown profile', 'profile: mpc', `1:10 profile | "mpc" | ${known} | Correct it, for example: profile: mcp`],
  [
    'a fabric of the future',
    'fabric: kafka',
    '1:9 fabric | "kafka" | memory, or { nats: { servers, key } } | Correct it, for example: fabric: memory',
  ],
  [
    'a cluster key that can be guessed',
    'fabric: { nats: { servers: [nats://nats:4222], key: secret } }',
    '1:53 fabric.nats.key | text of 6 characters | at least 32 characters, as `openssl rand -base64 32` prints them | Correct it, for example: key: ${env:JUNCTOR_CLUSTER_KEY}',
  ],
  [
    'a list with a cluster key that can be guessed',
    'fabric: { nats: { servers: [nats://nats:4222], key: [secret] } }',
    '1:54 fabric.nats.key[0] | text of 6 characters | at least 32 characters, as `openssl rand -base64 32` prints them | Correct it.',
  ],
  [
    'a bus without a scheme',
    `fabric: { nats: { servers: [localhost:4222], key: ${'k'.repeat(32)} } }`,
    '1:29 fabric.nats.servers[0] | "localhost:4222" | an address such as nats://nats:4222 or tls://nats:4222 | Correct it.',
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
  ...[
    ['https://me:hunter2@gw.example.com', 'https://…@gw.example.com'],
    ['https://gw.example.com/?tenant=acme', 'https://gw.example.com/?…'],
    ['https://gw.example.com/#acme', 'https://gw.example.com/#acme'],
  ].map(([url, shown]): readonly [string, string, string] => [
    `a public URL to which no path can be added: ${shown}`,
    `publicUrl: '${url}'`,
    `1:12 publicUrl | "${shown}" | a URL without credentials, query and fragment | Correct it, for example: publicUrl: https://gw.example.com`,
  ]),
  [
    'a URL where an origin belongs',
    'listen: { http: { allowedOrigins: [https://app.example.com/] } }',
    '1:36 listen.http.allowedOrigins[0] | "https://app.example.com/" | an origin: scheme, host and port, no more | Correct it.',
  ],
  ...['proxy.internal', '10.0.0.0/33', '0.0.0.0/0'].map((network): readonly [string, string, string] => [
    `a trusted proxy ${network}`,
    `listen: { http: { trustedProxies: [${network}] } }`,
    `1:36 listen.http.trustedProxies[0] | "${network}" | an address or a network, such as 10.0.0.0/8, but not all addresses | Correct it.`,
  ]),
  [
    'a word without a space after its colon',
    'backends:\n  files:\n    command:node',
    '3:5 backends.files | "command:node" | a mapping | Write a space after "command:".',
  ],
  [
    'a backend that is no mapping',
    'backends:\n  files: node server.js',
    '2:10 backends.files | "node server.js" | a mapping | Describe the backend, for example: url: https://mcp.example.com/mcp',
  ],
  [
    'an option of a plugin with a wrong value',
    'backends:\n  files: { command: node, args: server.js }',
    '2:33 backends.files.args | text of 9 characters | a list | Write each item by itself between brackets, for example: args: [first, second]',
  ],
  [
    'a wrong value of what every backend has',
    'backends:\n  files:\n    command: node\n    isolation: none',
    '4:16 backends.files.isolation | "none" | "session", "tenant", "shared" or "process" | Correct it, for example: isolation: session',
  ],
  [
    'a place that no backend runs on',
    'backends:\n  files:\n    command: node\n    runsOn: worker',
    '4:13 backends.files.runsOn | "worker" | "gateways" or "workers" | Correct it, for example: runsOn: workers',
  ],
  [
    'workers that share nothing with the gateway',
    'backends:\n  files:\n    command: node\n    runsOn: workers',
    '4:13 backends.files.runsOn | "workers", while the fabric is the memory of one gateway | a fabric that workers share | Add fabric: { nats: { servers, key } }, or leave runsOn out.',
  ],
  [
    'a prefix that is no name',
    'backends:\n  files: { command: node, prefix: "a b" }',
    '2:35 backends.files.prefix | "a b" | a name of a to z, 0 to 9 and "-", or "" for none | Correct it, for example: prefix: search',
  ],
  [
    'a pattern without a backend',
    'backends: { files: { command: node } }\ntenants: { acme: { backends: [files], tools: { deny: [delete] } } }',
    '2:55 tenants.acme.tools.deny[0] | "delete" | a pattern such as "search:*" or "files:delete_*" | Correct it.',
  ],
  [
    'a key instead of its hash',
    'auth: { apiKeys: { ci: { hash: hunter2 } } }',
    '1:32 auth.apiKeys.ci.hash | text of 7 characters | "sha256:" and 64 hexadecimal digits, as `junctor hash-key` prints them | Correct it.',
  ],
  [
    'a URL where a host belongs',
    'listen: { http: { allowedHosts: [https://gw.example.com] } }',
    '1:34 listen.http.allowedHosts[0] | "https://gw.example.com" | a host name, with or without a port | Correct it.',
  ],
  [
    'a seal that can be guessed',
    'secrets: { seal: [hunter2] }',
    '1:19 secrets.seal[0] | text of 7 characters | at least 32 characters, as `openssl rand -base64 32` prints them | Correct it.',
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
    'a rate of none',
    'limits: { rates: { callsPerMinute: 0 } }',
    '1:36 limits.rates.callsPerMinute | 0 | at least 1 | Correct it, for example: callsPerMinute: 600',
  ],
  [
    'a rate with a unit',
    'tenants: { acme: { backends: [], limits: { callsPerMinuteOfPrincipal: 60/m } } }',
    '1:71 tenants.acme.limits.callsPerMinuteOfPrincipal | "60/m" | a whole number | Correct it, for example: callsPerMinuteOfPrincipal: 60',
  ],
  [
    'a burst as a number of calls',
    'limits: { rates: { callsPerMinute: 60, burst: 20 } }',
    '1:47 limits.rates.burst | 20 | a duration above zero, such as 500ms, 30s, 2m or 1h | Correct it, for example: burst: 10s',
  ],
  [
    'an issuer whose keys could be replaced on the way',
    'auth: { issuer: "http://id.example.com", audience: a }',
    '1:17 auth.issuer | "http://id.example.com" | an https:// URL without credentials (http:// only on this machine) | Correct it, for example: issuer: https://id.example.com',
  ],
  [
    'an issuer that is no URL',
    'auth: { issuer: id, audience: a }',
    '1:17 auth.issuer | "id" | an https:// URL without credentials (http:// only on this machine) | Correct it, for example: issuer: https://id.example.com',
  ],
  [
    'a signature algorithm with which every verifier could sign',
    'auth: { issuer: "https://id.example.com", audience: a, algorithms: [HS256] }',
    '1:69 auth.algorithms[0] | "HS256" | "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA" or "Ed25519" | Correct it.',
  ],
  [
    'a key for no tenant',
    `auth: { apiKeys: { ci: { hash: "sha256:${'0'.repeat(64)}", tenants: [] } } }`,
    '1:116 auth.apiKeys.ci.tenants | an empty list | at least 1 item | Correct it, for example: tenants: ["default"]',
  ],
  [
    'an audience of none',
    'auth: { issuer: "https://id.example.com", audience: [] }',
    '1:53 auth.audience | an empty list | at least 1 item | Correct it, for example: audience: https://gw.example.com/mcp',
  ],
  [
    'keys at an unencrypted URL',
    'auth: { issuer: "https://id.example.com", audience: a, jwksUri: "http://id.example.com/keys" }',
    '1:65 auth.jwksUri | "http://id.example.com/keys" | an https:// URL without credentials (http:// only on this machine) | Correct it, for example: jwksUri: https://id.example.com/jwks.json',
  ],
  [
    'members by no value',
    'tenants: { acme: { backends: [], members: { claim: org, values: [] } } }',
    '1:65 tenants.acme.members.values | an empty list | at least 1 item | Correct it, for example: values: ["acme"]',
  ],
  [
    'a token that no header can carry',
    'listen: { admin: { token: "hunter 2" } }',
    '1:27 listen.admin.token | text of 8 characters | a token of at least 16 letters, digits and - . _ ~ + /, as `openssl rand -hex 32` prints one | Correct it, for example: token: ${env:JUNCTOR_ADMIN_TOKEN}',
  ],
  [
    'an admin token that can be tried out',
    'listen: { admin: { token: fifteen-letters } }',
    '1:27 listen.admin.token | text of 15 characters | a token of at least 16 letters, digits and - . _ ~ + /, as `openssl rand -hex 32` prints one | Correct it, for example: token: ${env:JUNCTOR_ADMIN_TOKEN}',
  ],
  [
    'an admin port beyond all ports',
    'listen: { admin: { port: 65536 } }',
    '1:26 listen.admin.port | 65536 | at most 65535 | Correct it, for example: port: 3001',
  ],
  [
    'no events at all',
    'events: { keep: 0 }',
    '1:17 events.keep | 0 | at least 1 | Correct it, for example: keep: 10000',
  ],
  [
    'a yes that is not a YAML boolean',
    'gatewayTools: yes',
    '1:15 gatewayTools | "yes" | true or false | Correct it, for example: gatewayTools: true',
  ],
  [
    'a file that is a list',
    'audit: { file: [a] }',
    '1:16 audit.file | a list | text | Correct it, for example: file: ./audit.ndjson',
  ],
  [
    'an issuer with more than its name',
    'auth: { issuer: "https://id.example.com/?realm=x", audience: a }',
    '1:17 auth.issuer | "https://id.example.com/?…" | a URL without query and fragment | Correct it, for example: issuer: https://id.example.com',
  ],
  [
    'keys behind a password, which is not shown',
    'auth: { issuer: "https://id.example.com", audience: a, jwksUri: "https://me:hunter2@id.example.com/" }',
    '1:65 auth.jwksUri | "https://…@id.example.com/" | an https:// URL without credentials (http:// only on this machine) | Correct it, for example: jwksUri: https://id.example.com/jwks.json',
  ],
]
