import { demoPlugin } from '@junctor/plugin-demo'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Outcome, ServerCell, ServerTransport } from './outcome.ts'
import type { Peer } from './peer.ts'
import { type Gateway, startGateway } from './start-gateway.ts'
import { startHttpServer } from './start-http-server.ts'
import { sharedFeatures, visit } from './visit.ts'

const transports: readonly ServerTransport[] = ['stdio', 'http']

/** Every client against every server, in all their eras. `onServer` gets the outcomes with one server. */
export async function runInterop(
  peers: readonly Peer[],
  folderOf: (peer: Peer) => string,
  onServer: (server: ServerCell, outcomes: readonly Outcome[]) => void,
): Promise<Outcome[]> {
  const all: Outcome[] = []
  for (const peer of peers) {
    for (const era of peer.eras) {
      for (const transport of transports) {
        const server: ServerCell = { peer: peer.name, era, transport }
        const outcomes = await withServer(peer, folderOf(peer), server, (endpoint) =>
          visitAll(endpoint, peers, folderOf, peer, server),
        )
        onServer(server, outcomes)
        all.push(...outcomes)
      }
    }
  }
  return all
}

async function withServer<T>(
  peer: Peer,
  folder: string,
  server: ServerCell,
  use: (endpoint: string) => Promise<T>,
): Promise<T> {
  await using started = new AsyncDisposableStack()
  const scratch = await mkdtemp(join(tmpdir(), 'junctor-interop-'))
  started.defer(() => rm(scratch, { recursive: true }))
  const env = { INTEROP_CANCELLED: join(scratch, 'cancelled') }
  const [command, ...args] = peer.server
  const gateway =
    server.transport === 'stdio'
      ? await startBeside(peer.name, { command, args, cwd: folder, env, era: server.era })
      : await serveHttp()
  started.defer(() => gateway.close())
  return await use(gateway.endpoint)

  async function serveHttp(): Promise<Gateway> {
    const http = await startHttpServer(peer.server, server.era, folder, env)
    started.defer(() => http.stop())
    return await startBeside(peer.name, { url: http.url, era: server.era })
  }
}

function startBeside(name: string, backend: object): Promise<Gateway> {
  return startGateway({ [name]: backend, demo: { plugin: demoPlugin.name } })
}

async function visitAll(
  endpoint: string,
  clients: readonly Peer[],
  folderOf: (peer: Peer) => string,
  serverPeer: Peer,
  server: ServerCell,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const peer of clients) {
    for (const era of peer.eras) {
      const client = { peer: peer.name, era }
      const wanted = sharedFeatures({ peer, cell: client }, { peer: serverPeer, cell: server })
      outcomes.push(...(await visit(endpoint, peer, folderOf(peer), { client, server }, wanted)))
    }
  }
  return outcomes
}
