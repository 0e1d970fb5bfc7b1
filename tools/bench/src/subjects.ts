import { type Calls, echoCalls, type Encode, listCalls } from './load/calls.ts'
import type { Endpoint } from './load/sessions.ts'
import {
  address,
  guarded,
  hundredBackends,
  issuer,
  junctor,
  junctorOf,
  junctorWith,
  key,
  natsAt,
  onWorker,
  statelessAddress,
} from './junctor-programs.ts'
import type { ServerProgram } from './server-process.ts'
import { listedTools } from './servers/tool-list.ts'

/** A program that answers requests, and how to call it. */
export interface Subject {
  readonly name: string
  /** Its description in the report. */
  readonly title: string
  readonly wire: 'http' | 'stdio' | 'websocket' | 'queued'
  /** Whether requests are sent in a session. */
  readonly session: boolean
  /** Default: `/mcp`, without a token. */
  readonly address?: Omit<Endpoint, 'port'>
  /** The server behind it, which is started first. */
  readonly behind?: string
  /** @param port of the server behind it */
  program(port: number | undefined): ServerProgram
  calls(count: number, encode: Encode): Calls
}

const stdioServer = new URL('./servers/stdio-server.ts', import.meta.url)

/** The backend's name in Junctor's configuration, with the default prefix and separator: every default is on. */
const publicEcho = 'lean__echo'

const echo =
  (tool: string, member?: string): Subject['calls'] =>
  (count, encode) =>
    echoCalls(tool, count, encode, member)

const list: Subject['calls'] = (count, encode) => listCalls(listedTools, count, encode)

/** All subjects: minimal hand-written programs, and Junctor with the same task. */
export const subjects: readonly Subject[] = [
  {
    name: 'fastify',
    title: 'bare Fastify echo',
    wire: 'http',
    session: false,
    program: () => ({ program: new URL('./servers/fastify-server.ts', import.meta.url), args: [] }),
    calls: echo('echo'),
  },
  {
    name: 'fastify-schema',
    title: 'bare Fastify echo, response schema',
    wire: 'http',
    session: false,
    program: () => ({ program: new URL('./servers/fastify-server.ts', import.meta.url), args: ['schema'] }),
    calls: echo('echo'),
  },
  {
    name: 'junctor-local',
    title: 'Junctor, HTTP to a tool in its process',
    wire: 'http',
    session: true,
    address,
    program: () => junctorWith({ plugin: 'bench' }),
    calls: echo(publicEcho),
  },
  {
    name: 'junctor-open',
    title: 'Junctor, HTTP to a tool in its process, without tenants, keys and limits',
    wire: 'http',
    session: true,
    program: () => ({
      program: junctor,
      args: [JSON.stringify({ listen: { http: { port: 0 } }, backends: { lean: { plugin: 'bench' } } }), 'http'],
    }),
    calls: echo(publicEcho),
  },
  {
    name: 'issuer',
    title: 'the keys of an issuer of tokens',
    wire: 'http',
    session: false,
    program: () => ({ program: new URL('./servers/jwks-server.ts', import.meta.url), args: [issuer.keys] }),
    calls: echo('echo'),
  },
  {
    name: 'junctor-guarded',
    title: 'Junctor, the same tool with tokens, scopes, members, policies, rates and bounds',
    wire: 'http',
    session: true,
    address: { path: '/mcp/bench', key: issuer.token },
    behind: 'issuer',
    program: (port) => junctorWith({ plugin: 'bench', concurrency: 1000 }, 'http', guarded(port)),
    calls: echo(publicEcho),
  },
  {
    name: 'relay',
    title: 'bare relay, HTTP to a lean stdio server',
    wire: 'http',
    session: false,
    program: () => ({
      program: new URL('./servers/relay-server.ts', import.meta.url),
      args: [stdioServer.pathname],
    }),
    calls: echo('echo'),
  },
  {
    name: 'junctor-child',
    title: 'Junctor, HTTP to the same stdio server, shared',
    wire: 'http',
    session: true,
    address,
    program: () => junctorWith({ command: process.execPath, args: [stdioServer.pathname], isolation: 'shared' }),
    calls: echo(publicEcho),
  },
  {
    name: 'http-server',
    title: 'bare node:http, a lean MCP server',
    wire: 'http',
    session: true,
    program: () => ({ program: new URL('./servers/http-server.ts', import.meta.url), args: [] }),
    calls: echo('echo'),
  },
  {
    name: 'junctor-url',
    title: 'Junctor, HTTP to the same HTTP server, shared',
    wire: 'http',
    session: true,
    address,
    behind: 'http-server',
    program: (port) => junctorWith({ url: `http://127.0.0.1:${port}/mcp`, isolation: 'shared' }),
    calls: echo(publicEcho),
  },
  {
    name: 'fastify-stateless',
    title: 'bare Fastify echo, requests of 2026-07-28',
    wire: 'http',
    session: false,
    address: { path: '/mcp', revision: '2026-07-28' },
    program: () => ({ program: new URL('./servers/fastify-server.ts', import.meta.url), args: [] }),
    calls: echo('echo'),
  },
  {
    name: 'junctor-stateless',
    title: 'Junctor, HTTP of 2026-07-28 to a tool in its process',
    wire: 'http',
    session: false,
    address: statelessAddress,
    program: () => junctorWith({ plugin: 'bench' }),
    calls: echo(publicEcho),
  },
  {
    name: 'stateless-server',
    title: 'bare node:http, a lean MCP server of 2026-07-28',
    wire: 'http',
    session: false,
    address: { path: '/mcp', revision: '2026-07-28' },
    program: () => ({ program: new URL('./servers/http-server.ts', import.meta.url), args: ['stateless'] }),
    calls: echo('echo'),
  },
  {
    name: 'junctor-stateless-url',
    title: 'Junctor, HTTP of 2026-07-28 to the same server of that revision',
    wire: 'http',
    session: false,
    address: statelessAddress,
    behind: 'stateless-server',
    program: (port) => junctorWith({ url: `http://127.0.0.1:${port}/mcp`, isolation: 'shared', era: 'stateless' }),
    calls: echo(publicEcho),
  },
  {
    name: 'component',
    title: 'bare node:http, a tool component',
    wire: 'http',
    session: false,
    program: () => ({ program: new URL('./servers/component.ts', import.meta.url), args: [] }),
    calls: echo('echo'),
  },
  {
    name: 'component-relay',
    title: 'bare relay, HTTP to the same component',
    wire: 'http',
    session: false,
    behind: 'component',
    program: (port) => ({
      program: new URL('./servers/component-relay.ts', import.meta.url),
      args: [String(port)],
    }),
    calls: echo('echo'),
  },
  {
    name: 'junctor-component',
    title: 'Junctor, HTTP to the same component',
    wire: 'http',
    session: true,
    address,
    behind: 'component',
    program: (port) => junctorWith({ tool: `http://127.0.0.1:${port}/` }),
    calls: echo(publicEcho),
  },
  {
    name: 'wasm-server',
    title: 'bare node:http, a module of WebAssembly',
    wire: 'http',
    session: false,
    program: () => ({ program: new URL('./servers/wasm-server.ts', import.meta.url), args: [] }),
    calls: echo('echo', 'text'),
  },
  {
    name: 'junctor-wasm',
    title: 'Junctor, HTTP to the same module, in threads',
    wire: 'http',
    session: true,
    address,
    program: () => ({
      ...junctorWith({ wasm: 'sample' }),
      program: new URL('./servers/junctor-wasm.ts', import.meta.url),
    }),
    calls: echo(publicEcho, 'text'),
  },
  {
    name: 'stdio-server',
    title: 'a lean stdio MCP server',
    wire: 'stdio',
    session: true,
    program: () => ({ program: stdioServer, args: [] }),
    calls: echo('echo'),
  },
  {
    name: 'junctor-stdio',
    title: 'Junctor, stdio to a tool in its process',
    wire: 'stdio',
    session: true,
    program: () => junctorWith({ plugin: 'bench' }, 'stdio'),
    calls: echo(publicEcho),
  },
  {
    name: 'websocket-server',
    title: 'bare ws echo',
    wire: 'websocket',
    session: false,
    program: () => ({ program: new URL('./servers/web-socket-server.ts', import.meta.url), args: [] }),
    calls: echo('echo'),
  },
  {
    name: 'junctor-websocket',
    title: 'Junctor, WebSocket to a tool in its process',
    wire: 'websocket',
    session: true,
    address,
    program: () => junctorWith({ plugin: 'bench' }),
    calls: echo(publicEcho),
  },
  {
    name: 'junctor-queued',
    title: 'Junctor, 202 and stream, a tool in its process',
    wire: 'queued',
    session: true,
    address: { path: '/mcp/queue', key, revision: '2025-06-18' },
    program: () => junctorWith({ plugin: 'bench' }),
    calls: echo('echo'),
  },
  {
    name: 'nats',
    title: 'nats-server',
    wire: 'http',
    session: false,
    program: () => ({ program: new URL('./servers/nats.ts', import.meta.url), args: [] }),
    calls: echo('echo'),
  },
  {
    name: 'worker',
    title: 'a worker, whose port is that of NATS',
    wire: 'http',
    session: false,
    behind: 'nats',
    program: (port) => ({
      program: new URL('./servers/worker.ts', import.meta.url),
      args: [JSON.stringify({ ...natsAt(port), backends: { lean: onWorker } }), String(port)],
    }),
    calls: echo('echo'),
  },
  {
    name: 'junctor-nats',
    title: 'Junctor, HTTP to a tool on a worker, over NATS',
    wire: 'http',
    session: true,
    address,
    behind: 'worker',
    program: (port) => junctorWith(onWorker, 'http', natsAt(port)),
    calls: echo(publicEcho),
  },
  {
    name: 'junctor-nats-queued',
    title: 'Junctor, 202 and stream on NATS, a tool in its process',
    wire: 'queued',
    session: true,
    address: { path: '/mcp/queue', key, revision: '2025-06-18' },
    behind: 'nats',
    program: (port) => junctorWith({ plugin: 'bench' }, 'http', natsAt(port)),
    calls: echo('echo'),
  },
  {
    name: 'jetstream-server',
    title: 'bare node:http and JetStream, which acknowledges each call',
    wire: 'http',
    session: false,
    behind: 'nats',
    program: (port) => ({
      program: new URL('./servers/jetstream-server.ts', import.meta.url),
      args: [String(port)],
    }),
    calls: echo('echo'),
  },
  {
    name: 'list-server',
    title: `bare node:http, ${listedTools} tools serialised once`,
    wire: 'http',
    session: false,
    program: () => ({ program: new URL('./servers/list-server.ts', import.meta.url), args: [] }),
    calls: list,
  },
  {
    name: 'junctor-list',
    title: `Junctor, tools/list of ${listedTools} tools`,
    wire: 'http',
    session: true,
    address,
    program: () => junctorWith({ plugin: 'bench', tools: listedTools, prefix: '' }),
    calls: list,
  },
  {
    name: 'junctor-hundred-list',
    title: `Junctor, tools/list of ${listedTools} tools of 100 backends`,
    wire: 'http',
    session: true,
    address,
    program: () => junctorOf(hundredBackends()),
    calls: list,
  },
  {
    name: 'junctor-hundred',
    title: `Junctor, HTTP to one of ${listedTools} tools of 100 backends`,
    wire: 'http',
    session: true,
    address,
    program: () => junctorOf(hundredBackends()),
    calls: echo('lean50__echo'),
  },
]

/** The subject of this name. Names are written in this package only. */
export function subjectNamed(name: string): Subject {
  const subject = subjects.find((candidate) => candidate.name === name)
  if (subject === undefined) throw new Error(`there is no subject "${name}"`)
  return subject
}
