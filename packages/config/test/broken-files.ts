import type { ProblemKind } from '../src/index.ts'
import { brokenPins } from './broken-pins.ts'
import { brokenSyntax } from './broken-syntax.ts'
import { unusableCertificates } from './unusable-certificates.ts'
import { type BrokenFile, wrongValues } from './wrong-values.ts'

const zeros = '0'.repeat(64)

/** Broken files for every kind of problem. */
export const brokenFiles: Readonly<Record<ProblemKind, readonly BrokenFile[]>> = {
  unreadable_file: [
    [
      'a file that is not there',
      'nope.yaml',
      '1:1  | no such file | a file that can be read | Check the name, and from which folder the command runs.',
    ],
    [
      'a folder',
      '.',
      '1:1  | a folder | a file that can be read | Check the name, and from which folder the command runs.',
    ],
  ],
  syntax: brokenSyntax,
  duplicate_key: [
    [
      'a section that is there twice',
      'backends: {}\ntimeout: 1s\nbackends: {}',
      '3:1  | a repeated key | each key only once | Keep one of them, and remove the other.',
    ],
    [
      'a backend that is there twice, in JSON',
      '{"backends": {\n  "a": {"command": "x"},\n  "a": {"command": "y"}\n}}',
      '3:3  | a repeated key | each key only once | Keep one of them, and remove the other.',
    ],
  ],
  alias: [
    [
      'an alias without a value',
      'timeout: 1s\nserver: *mine',
      '2:9  | an alias without a value | each alias (*name) to follow the value of its anchor (&name) | Write the anchor before its aliases, or write the value out.',
    ],
    [
      'aliases that multiply',
      'a: &a [x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c, *c]',
      '1:1  | aliases of aliases | aliases (*name) that stand for a bounded amount of text | Write the values out.',
    ],
  ],
  not_a_mapping: [
    [
      'a list at the top',
      '- a',
      '1:1  | a list | a mapping | Write words and what they stand for, for example: backends: {}',
    ],
    [
      'text at the top',
      'junctor',
      '1:1  | text | a mapping | Write words and what they stand for, for example: backends: {}',
    ],
  ],
  unknown_word: [
    [
      'backends that tenants name, under a word with a typing error',
      'backend: { files: { command: node } }\ntenants: { default: { backends: [files] } }',
      '1:1 backend | an unknown word | audit, auth, backends, discovery, events, fabric, gatewayTools, limits, listen, mcpServers, naming, pins, profile, publicUrl, relayExtensions, secrets, server, tenants or timeout | Did you mean "backends"?',
    ],
    [
      'a slip in a word at the top',
      'lisen:\n  http: {}',
      '1:1 lisen | an unknown word | audit, auth, backends, discovery, events, fabric, gatewayTools, limits, listen, mcpServers, naming, pins, profile, publicUrl, relayExtensions, secrets, server, tenants or timeout | Did you mean "listen"?',
    ],
    [
      'a slip further down',
      'listen:\n  http:\n    prot: 1',
      '3:5 listen.http.prot | an unknown word | allowedHosts, allowedOrigins, host, port, tls or trustedProxies | Did you mean "port"?',
    ],
    [
      'an unknown word',
      'naming: { style: x }',
      '1:11 naming.style | an unknown word | askers, bareNames, maxLength or separator | Remove it.',
    ],
    [
      'a word that neither the gateway nor the plugin knows',
      'backends:\n  files: { command: node, arg: [x] }',
      '2:27 backends.files.arg | an unknown word | appDomain, args, askTimeout, auth, command, concurrency, cwd, env, headers, idle, isolation, maxLinks, pins, prefix, queue, retry, runsOn, timeout or url | Did you mean "args"?',
    ],
    [
      'a word that another kind of backend has',
      'backends:\n  files: { command: node, headers: {} }',
      '2:27 backends.files.headers | a word that does not go with the words beside it | words that go together | Remove it.',
    ],
    [
      'an unknown word in a tenant',
      'tenants: { default: { backends: [], members: { claim: org, value: [a], values: [a] } } }',
      '1:60 tenants.default.members.value | an unknown word | claim or values | Did you mean "values"?',
    ],
    [
      'a slip in a limit',
      'limits: { session: 1 }',
      '1:11 limits.session | an unknown word | batch, body, callsOfPrincipal, connections, connectionsOfAddress, depth, drainDelay, grace, headers, headersTimeout, heapPercent, inFlight, instructions, keepAliveTimeout, listChanged, loopDelay, pageItems, rates, requestTimeout, sessionIdle, sessions, sessionsOfPrincipal, sessionsOfTenant, stalled, startWait, streamBuffer, streamCharacters, streamEntries, streamKeep, streamKeepAlive, streams, streamsOfPrincipal or streamsOfTenant | Did you mean "sessions"?',
    ],
    [
      'a slip in a key',
      `auth: { apiKeys: { ci: { hsah: x, hash: "sha256:${zeros}" } } }`,
      '1:26 auth.apiKeys.ci.hsah | an unknown word | hash or tenants | Did you mean "hash"?',
    ],
    [
      'the word of VS Code, with something else in it',
      'servers: { name: mine }',
      '1:1 servers | an unknown word | audit, auth, backends, discovery, events, fabric, gatewayTools, limits, listen, mcpServers, naming, pins, profile, publicUrl, relayExtensions, secrets, server, tenants or timeout | Did you mean "server"?',
    ],
  ],
  wrong_value: wrongValues,
  missing_value: [
    [
      'an option of a plugin that is missing',
      'backends:\n  weather: { plugin: "@acme/weather" }',
      '2:12 backends.weather.city | nothing | text | Add it, for example: city: Oslo',
    ],
    [
      'a tenant without backends',
      'tenants:\n  acme: {}',
      '2:9 tenants.acme.backends | nothing | a list | Add it, for example: backends: ["search"]',
    ],
    [
      'members by nothing',
      'tenants: { acme: { backends: [], members: { values: [a] } } }',
      '1:43 tenants.acme.members.claim | nothing | text | Add it, for example: claim: org',
    ],
    [
      'half of a certificate',
      'listen: { http: { tls: { cert: gateway.crt } } }',
      '1:24 listen.http.tls.key | nothing | text | Add it, for example: key: ./gateway.key',
    ],
    [
      'a fabric on NATS without a key of the cluster',
      'fabric: { nats: { servers: [nats://nats:4222] } }',
      '1:17 fabric.nats.key | nothing | a key of the cluster, or a list of them | Add it, for example: key: ${env:JUNCTOR_CLUSTER_KEY}',
    ],
    [
      'a key without its hash',
      'auth: { apiKeys: { ci: {} } }',
      '1:24 auth.apiKeys.ci.hash | nothing | "sha256:" and 64 hexadecimal digits, as `junctor hash-key` prints them | Add it.',
    ],
  ],
  illegal_name: [
    [
      'a rate of tools without a backend',
      'limits: { rates: { callsPerMinuteOfTools: { delete: 1 } } }',
      '1:45 limits.rates.callsPerMinuteOfTools.delete | "delete" | a pattern such as "search:*" or "files:delete_*" | Choose another name.',
    ],
    [
      'a scope of tools without a backend',
      'auth: { issuer: "https://id.example.com", audience: a, toolScopes: { delete: a } }',
      '1:70 auth.toolScopes.delete | "delete" | a pattern such as "search:*" or "files:delete_*" | Choose another name.',
    ],
    [
      'an illegal name',
      'backends:\n  My_Files: { command: x }',
      '2:3 backends.My_Files | "My_Files" | a name of a to z, 0 to 9 and "-", at most 64 long, that does not begin with "-" | Choose another name.',
    ],
    [
      'a tenant with an illegal name',
      'tenants: { Acme: { backends: [] } }',
      '1:12 tenants.Acme | "Acme" | a name of a to z, 0 to 9 and "-", at most 64 long, that does not begin with "-" | Choose another name.',
    ],
    [
      'a key that is called something else',
      'auth: { apiKeys: { "c i": { hash: x } } }',
      '1:20 auth.apiKeys."c i" | "c i" | a name of a to z, 0 to 9 and "-", at most 64 long, that does not begin with "-" | Choose another name.',
    ],
  ],
  variable_not_set: [
    [
      'a variable that is not set, and only that',
      'publicUrl: ${env:NOPE}',
      '1:12 publicUrl | ${env:NOPE} | the environment variable NOPE to be set | Set it before starting: export NOPE=…',
    ],
  ],
  reference_unreadable: [
    [
      'a file that is not there, and only that',
      'secrets:\n  seal: ["${file:nope}"]',
      '2:10 secrets.seal[0] | ${file:nope} | a file that can be read (ENOENT) | Put the file at FOLDER/nope, or correct the path.',
    ],
  ],
  unknown_reference: [
    [
      'a reference of another kind',
      'server: { name: "${vault:name}" }',
      '1:17 server.name | ${vault:name} | ${env:NAME} or ${file:path} | To mean the text itself, double the dollar sign: $${vault:name}.',
    ],
    [
      'what VS Code asks for',
      '{"servers": {"a": {"command": "x", "env": {"T": "${input:token}"}}}}',
      '1:49 servers.a.env.T | ${input:token} | ${env:NAME} or ${file:path} | Write ${env:TOKEN} in its place, and set that variable before starting.',
    ],
  ],
  env_file: [
    [
      'a file of variables',
      '{"servers": {\n  "a": {"command": "x", "envFile": ".env"}\n}}',
      '2:25 servers.a.envFile | a file of variables | the variables under env | Write each of them as NAME: ${env:NAME} under env, and set them before starting.',
    ],
  ],
  backend_kind: [
    [
      'a backend of no kind',
      'backends:\n  files: { comand: node, timeout: 1s }',
      '2:3 backends.files | comand | exactly one of the words command, plugin or url | Did you mean "command"?',
    ],
    [
      'a backend of two kinds',
      'backends:\n  files: { command: node, url: https://x.example }',
      '2:3 backends.files | command and url | exactly one of the words command, plugin or url | Keep the word that describes the backend, and remove the others.',
    ],
  ],
  unknown_plugin: [
    [
      'an unknown plugin',
      'backends:\n  demo: { plugin: "@junctor/plugin-dmeo" }',
      '2:19 backends.demo.plugin | "@junctor/plugin-dmeo" | @acme/anything, @junctor/plugin-demo or @acme/weather | Did you mean "@junctor/plugin-demo"?',
    ],
  ],
  plugin_not_loaded: [
    [
      'a plugin that cannot be loaded',
      'backends:\n  broken: { plugin: ./broken.ts, url: any }\n  files: { command: node }',
      '2:21 backends.broken.plugin | ./broken.ts, which fails | a module that loads | Mend it.',
    ],
  ],
  unknown_backend: [
    [
      'a rate of tools of a backend that the tenant does not have',
      'backends: { files: { command: node }, search: { command: node } }\ntenants: { acme: { backends: [search], limits: { callsPerMinuteOfTools: { "files:*": 1 } } } }',
      '2:75 tenants.acme.limits.callsPerMinuteOfTools."files:*" | "files:*" | the backend search | Correct it, or add the backend.',
    ],
    [
      'a login server that is no backend',
      'publicUrl: https://gw.example.com\nbackends: { login: { command: node } }\nauth: { server: logn }',
      '3:17 auth.server | "logn" | the backend login | Did you mean "login"?',
    ],
    [
      'a scope for tools of a backend that the file does not have',
      'backends: { files: { command: node } }\nauth: { issuer: "https://id.example.com", audience: a, toolScopes: { "filse:*": a } }',
      '2:70 auth.toolScopes."filse:*" | "filse:*" | the backend files | Did you mean "files"?',
    ],
    [
      'a rate of tools of a backend that the file does not have',
      'backends: { files: { command: node } }\nlimits: { rates: { callsPerMinuteOfTools: { "filse:*": 1 } } }',
      '2:45 limits.rates.callsPerMinuteOfTools."filse:*" | "filse:*" | the backend files | Did you mean "files"?',
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
  ],
  unknown_tenant: [
    [
      'a key for a tenant that is not there',
      `auth: { apiKeys: { ci: { hash: "sha256:${zeros}", tenants: [acme] } } }`,
      '1:117 auth.apiKeys.ci.tenants[0] | "acme" | the tenant default | Correct it, or add the tenant.',
    ],
    [
      'a key without tenants, where there is no default',
      `auth: { apiKeys: { ci: { hash: "sha256:${zeros}" } } }\nbackends: { files: { command: node } }\ntenants: { acme: { backends: [files] }, other: { backends: [files] } }`,
      '1:24 auth.apiKeys.ci.tenants | nothing, which is the tenant default | the tenants that the key opens: acme, other | Add them, for example: tenants: [acme]',
    ],
  ],
  name_taken: [
    [
      'names that become one',
      '{"mcpServers": {"a b": {"command": "x"}, "A-B": {"command": "y"}}}',
      '1:42 mcpServers.A-B | "A-B", which becomes a-b | a name that no other backend has | Rename one of them.',
    ],
    [
      'a name of two sections',
      'backends: { a: { command: x } }\nmcpServers: { A: { command: y } }',
      '2:15 mcpServers.A | "A", which becomes a | a name that no other backend has | Rename one of them.',
    ],
  ],
  repeated_key: [
    [
      'a key under two names',
      `auth:\n  apiKeys:\n    a: { hash: "sha256:${zeros}" }\n    b: { hash: "sha256:${zeros}" }`,
      '4:16 auth.apiKeys.b.hash | the hash of "a" | a different key for each name | Make another key, or remove one of the two.',
    ],
  ],
  audience_missing: [
    [
      'an issuer without an audience',
      'auth:\n  issuer: https://id.example.com',
      '2:3 auth.audience | nothing | the audience of tokens for this gateway: without it, a token that the issuer made for any other service would open this gateway | Add it, for example: audience: https://gw.example.com/mcp',
    ],
  ],
  issuer_missing: [
    [
      'an audience without an issuer',
      'auth:\n  audience: https://gw.example.com/mcp',
      '2:3 auth.issuer | nothing | the issuer whose tokens "audience" is about | Add it, for example: issuer: https://id.example.com',
    ],
    [
      'members without an issuer',
      'tenants:\n  acme: { backends: [], members: { claim: org, values: [acme] } }',
      '2:25 tenants.acme.members | members without auth.issuer | an issuer whose tokens hold the claim | Add auth: { issuer, audience }, or remove the members.',
    ],
  ],
  open_to_all: [
    [
      'anybody on the network may call',
      'listen:\n  http: { host: 0.0.0.0 }',
      '2:17 listen.http.host | "0.0.0.0" | an address of this machine only, such as 127.0.0.1, because callers do not authenticate | Add auth.apiKeys (`junctor hash-key` prints their hashes) or auth.issuer, or set auth: { anonymous: true }.',
    ],
    [
      'anybody on the bus may call',
      `listen: { nats: true }\nfabric: { nats: { servers: ['nats://a:4222'], key: ${'k'.repeat(32)} } }`,
      '1:17 listen.nats | true | false, because clients on the bus do not authenticate | Add auth.apiKeys (`junctor hash-key` prints their hashes) or auth.issuer, or set auth: { anonymous: true }.',
    ],
    [
      'all addresses',
      'listen: { http: { host: "::" } }',
      '1:25 listen.http.host | "::" | an address of this machine only, such as 127.0.0.1, because callers do not authenticate | Add auth.apiKeys (`junctor hash-key` prints their hashes) or auth.issuer, or set auth: { anonymous: true }.',
    ],
  ],
  nats_missing: [
    [
      'clients on a bus that is not there',
      'listen:\n  nats: true\nauth: { anonymous: true }',
      '2:9 listen.nats | true, and a fabric in memory | a fabric on NATS, where the clients are | Add fabric: { nats: { servers, key } }, or remove listen.nats.',
    ],
  ],
  port_taken: [
    [
      'one port for clients and for you',
      'listen:\n  http: { port: 4000 }\n  admin: { port: 4000 }',
      '3:18 listen.admin.port | 4000, which is listen.http.port | a port of its own | Choose another port, so that clients cannot reach the admin endpoints.',
    ],
    [
      'the default of the admin port, taken',
      'listen: { http: { port: 3001 }, admin: {} }',
      '1:40 listen.admin.port | 3001, which is listen.http.port | a port of its own | Choose another port, so that clients cannot reach the admin endpoints.',
    ],
  ],
  pem_unreadable: [
    [
      'a certificate that is not there',
      'listen: { http: { tls: { cert: nope.crt, key: gateway.crt } } }',
      '1:32 listen.http.tls.cert | "nope.crt" | a file that can be read (ENOENT) | Correct the path; it starts from the folder of the configuration.',
    ],
  ],
  not_pem: [
    [
      'a key that is something else',
      'listen: { http: { tls: { cert: gateway.crt, key: not-pem } } }',
      '1:50 listen.http.tls.key | text of 7 characters | a file in PEM | Convert it, or name another one.',
    ],
  ],
  certificate_unusable: unusableCertificates,
  pins_unusable: brokenPins,
}
