import { PassThrough } from 'node:stream'
import { parseConfig } from '@junctor/config'
import type { JsonObject } from '@junctor/jsonrpc'
import { createNode, type JunctorNode } from '@junctor/node'
import { demoPlugin } from '@junctor/plugin-demo'
import { mcpPlugin } from '@junctor/plugin-mcp'
import type { Plugin } from '@junctor/plugin-sdk'
import { openSession } from './peer/create-peer.ts'
import { createHttpPeer } from './peer/http-peer.ts'
import type { Peer } from './peer/peer.ts'
import type { Way } from '../scenario.ts'
import { createStdioPeer } from './peer/stdio-peer.ts'

/** A gateway in this process, which serves any number of clients over both transports. */
export interface NodeScene {
  readonly node: JunctorNode
  readonly url: string
  /** A client without a session. */
  connect(transport: Way): Peer
  /** A client with a session. */
  peer(transport: Way): Promise<Peer>
}

const plugins = [mcpPlugin, demoPlugin] as readonly Plugin[]

/** Runs a gateway while `body` runs, and leaves nothing behind. */
export async function withNode<Result>(
  content: JsonObject,
  body: (scene: NodeScene) => Promise<Result>,
): Promise<Result> {
  const text = JSON.stringify({ listen: { http: { port: 0 } }, ...content })
  const parsed = parseConfig(text, { file: `${import.meta.dirname}/junctor.json`, plugins, env: {} })
  if (parsed.kind === 'invalid') throw new Error(`Expected a valid configuration: ${JSON.stringify(parsed.problems)}`)
  const node = await createNode({ config: parsed.config })
  const peers: Peer[] = []
  try {
    const { url } = (await node.listen()).http
    const connect = (transport: Way): Peer => {
      const peer = transport === 'http' ? createHttpPeer(url) : createStdioPeer(pipes(node))
      peers.push(peer)
      return peer
    }
    return await body({
      node,
      url,
      connect,
      async peer(transport) {
        const peer = connect(transport)
        await openSession(peer)
        return peer
      },
    })
  } finally {
    await Promise.all(peers.map((peer) => peer.close()))
    await node.close()
  }
}

function pipes(node: JunctorNode): Parameters<typeof createStdioPeer>[0] {
  const input = new PassThrough()
  const output = new PassThrough()
  return { input, output, closed: node.serveStdio(input, output).closed }
}
