import type { JsonObject } from '@junctor/jsonrpc'
import type { Way } from '../scenario.ts'
import { type GatewayProcess, type GatewayProcessOptions, startGatewayProcess } from './gateway-process.ts'
import { openSession } from './peer/create-peer.ts'
import { createHttpPeer, type HttpPeer } from './peer/http-peer.ts'
import type { Peer } from './peer/peer.ts'
import { createStdioPeer } from './peer/stdio-peer.ts'

/** The real command, and its clients. */
export interface ProcessScene {
  readonly gateway: GatewayProcess
  /** A client without a session: over stdio always the same one. */
  readonly connect: () => Peer
  /** A client with its own session, over HTTP. */
  readonly http: () => Promise<HttpPeer>
}

/** Runs the command while `body` runs, and leaves nothing behind. */
export async function withProcess<Result>(
  way: Way,
  config: JsonObject,
  body: (scene: ProcessScene) => Promise<Result>,
  more: Omit<GatewayProcessOptions, 'config' | 'stdio'> = {},
): Promise<Result> {
  const gateway = await startGatewayProcess({ ...more, config, stdio: way === 'stdio' })
  const { stdin: input, stdout: output } = gateway.child
  const peers: Peer[] = []
  let only: Peer | undefined
  const http = (): HttpPeer => {
    const peer = createHttpPeer(gateway.url)
    peers.push(peer)
    return peer
  }
  try {
    return await body({
      gateway,
      connect() {
        if (way === 'http') return http()
        only ??= createStdioPeer({ input, output, closed: Promise.resolve() })
        return only
      },
      async http() {
        const peer = http()
        await openSession(peer)
        return peer
      },
    })
  } finally {
    await Promise.all(peers.map((peer) => peer.close()))
    await gateway.stop()
  }
}
