import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@junctor/jsonrpc'
import type { JunctorNode } from '@junctor/node'
import { compiledOnce, type ChaosProxy, type createChaosProxy, freePort } from '@junctor/testkit'
import { metric } from '../client/metric.ts'
import type { Peer } from '../client/peer/peer.ts'
import { type NodeScene, withNode } from '../client/with-node.ts'
import { type RemoteServer, startRemoteServer } from './servers/remote-server.ts'

const server = fileURLToPath(new URL('servers/faulty-server.ts', import.meta.url))

/** A configured backend: the faulty server, as a child process that all clients share. */
export function faulty(entry: JsonObject = {}, options: JsonObject = {}): JsonObject {
  return {
    command: process.execPath,
    args: [server, JSON.stringify(options)],
    env: compiledOnce,
    isolation: 'shared',
    ...entry,
  }
}

/** The status of one backend. */
type BackendStatus = Awaited<ReturnType<JunctorNode['status']>>[number]

/** A gateway that can be inspected. */
export interface BackendScene extends NodeScene {
  /** The sum of a counter in `/metrics` over all series with these labels. */
  metric(name: string, labels?: Readonly<Record<string, string>>): Promise<number>
  /** Whether `/readyz` reports ready. */
  ready(): Promise<boolean>
  /** The status of a backend. */
  status(backend: string): Promise<BackendStatus>
}

/** Runs a gateway in front of these backends, in this process, while `body` runs. */
export async function withBackends<Result>(
  backends: JsonObject,
  body: (scene: BackendScene) => Promise<Result>,
): Promise<Result> {
  const port = await freePort()
  const admin = `http://127.0.0.1:${port}`
  return withNode({ listen: { http: { port: 0 }, admin: { port } }, backends }, (scene) =>
    body({
      ...scene,
      metric: (name, labels) => metric(admin, name, labels),
      ready: async () => (await fetch(`${admin}/readyz`)).ok,
      async status(name) {
        const found = (await scene.node.status()).find((backend) => backend.name === name)
        if (found === undefined) throw new Error(`Expected a backend "${name}"`)
        return found
      },
    }),
  )
}

/** A gateway in front of a remote server, and of another backend. */
export interface RemoteScene extends BackendScene {
  readonly remote: RemoteServer
  /** The proxy between the two, if there is one. */
  readonly proxy: ChaosProxy | undefined
}

interface RemoteSceneOptions {
  /** The host name of the server in the configuration. Default: its address. */
  readonly host?: string
  /** Creates the proxy between the two. */
  readonly through?: typeof createChaosProxy
  /** Further members of the configured backend. */
  readonly entry?: JsonObject
}

/**
 * Runs a gateway in front of a remote server, named `remote`; `other` is the faulty server, which behaves correctly
 * here.
 */
export async function withRemote<Result>(
  { host = '127.0.0.1', through, entry = {} }: RemoteSceneOptions,
  body: (scene: RemoteScene) => Promise<Result>,
): Promise<Result> {
  const remote = await startRemoteServer()
  const proxy = await through?.({ port: remote.port })
  const url = `http://${host}:${proxy?.port ?? remote.port}/mcp`
  try {
    const backends = { remote: { url, isolation: 'shared', ...entry }, other: faulty() }
    return await withBackends(backends, (scene) => body({ ...scene, remote, proxy }))
  } finally {
    await proxy?.close()
    await remote.close()
  }
}

/** An answer to a call. */
export interface CallAnswer {
  /** The text of its result; empty for an error. */
  readonly text: string
  readonly error: { readonly code: number; readonly message: string; readonly data: JsonObject } | undefined
  /** From the request to the answer. */
  readonly ms: number
}

/** Calls a tool, by its public name. */
export async function call(peer: Peer, name: string, args: JsonObject = {}): Promise<CallAnswer> {
  const began = performance.now()
  const answer = await peer.request('tools/call', { name, arguments: args })
  const ms = performance.now() - began
  const result = answer['result'] as { content?: { text?: string }[] } | undefined
  const error = answer['error'] as { code: number; message: string; data?: JsonObject } | undefined
  return {
    text: result?.content?.map(({ text }) => text ?? '').join('') ?? '',
    error: error && { ...error, data: error.data ?? {} },
    ms,
  }
}

/** The reason of an error, for a comparison. */
export function reason(answer: CallAnswer): unknown {
  return answer.error?.data['reason'] ?? answer.error?.message
}
