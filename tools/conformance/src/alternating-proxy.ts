import { Agent, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

/** One address in front of several servers. */
export interface AlternatingProxy {
  /** `http://127.0.0.1:<port>/mcp` */
  readonly url: string
  /** Cuts every connection. */
  close(): Promise<void>
}

/**
 * Sends each HTTP request to the next of several servers, regardless of its session: a load balancer without knowledge
 * of sessions. Bodies are streamed in both directions; when one side disconnects, the other is disconnected too.
 */
export async function startAlternatingProxy(targets: readonly string[]): Promise<AlternatingProxy> {
  const origins = targets.map((target) => new URL(target).origin)
  const agent = new Agent({ keepAlive: true })
  let requests = 0

  const proxy = createServer((incoming, response) => {
    const origin = origins[requests++ % origins.length] ?? ''
    const outgoing = send(`${origin}${incoming.url}`, { method: incoming.method, headers: incoming.headers, agent })
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders).flushHeaders()
      pipeline(answer, response, () => outgoing.destroy())
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve)
  })

  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`,
    async close() {
      await new Promise((resolve) => {
        proxy.close(resolve)
        proxy.closeAllConnections()
      })
      agent.destroy()
    },
  }
}
