import type { JsonObject } from '@junctor/jsonrpc'
import { createHttpWire, type HttpWire } from './http-wire.ts'
import { openHttpClient, type WireClientOptions } from './wire-client.ts'

/** One session on one node: messages are sent to this node, and received from it. */
export interface AtNode extends HttpWire {
  /** Sends a request to this node and waits for its response from this node. */
  request(method: string, params?: JsonObject): Promise<JsonObject>
  notify(method: string, params?: JsonObject): Promise<void>
}

/** One session on several nodes. */
export interface SessionAtNodes {
  readonly id: string
  readonly nodes: readonly AtNode[]
  close(): Promise<void>
}

/** Opens a session on the first node, and uses it on all of them. It answers no questions automatically. */
export async function openSessionAtNodes(
  urls: readonly string[],
  { capabilities = {}, headers = {} }: Pick<WireClientOptions, 'capabilities' | 'headers'> = {},
): Promise<SessionAtNodes> {
  const revision = '2025-11-25'
  const opened = { capabilities, headers, listens: false }
  const client = await openHttpClient({ urls: urls.slice(0, 1) }, { revision }, opened)
  const { session = '' } = client
  await client.close()
  let ids = 0
  const nodes = urls.map((url): AtNode => {
    const wire = createHttpWire([url], { 'mcp-protocol-version': revision, ...headers })
    wire.session = session
    return Object.assign(wire, {
      async request(method: string, params: JsonObject = {}) {
        const id = `at ${(ids += 1)}`
        await wire.send({ jsonrpc: '2.0', id, method, params })
        const isAnswer = (message: JsonObject): boolean => message['id'] === id && message['method'] === undefined
        return (await wire.until(({ message }) => isAnswer(message))).message
      },
      notify: (method: string, params: JsonObject = {}) => wire.send({ jsonrpc: '2.0', method, params }),
    })
  })
  return { id: session, nodes, close: async () => void (await Promise.all(nodes.map((node) => node.close()))) }
}
