import { Agent, request as send } from 'node:http'
import { pipeline } from 'node:stream'
import { startHttpServer } from './start-http-server.ts'

/**
 * One URL in front of several nodes: each request goes to the next node, regardless of its session, as from a load balancer
 * without knowledge of sessions. Bodies are streamed in both directions; when one side disconnects, the other is
 * disconnected too.
 */
export interface AlternatingProxy {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** URLs of the nodes behind it, of which it uses the origins. Must not be empty when a request comes. */
  targets: readonly string[]
  /** The path below which clients see the nodes, which it removes. Default: none. */
  prefix: string
  /** The address that it adds to `X-Forwarded-For`, as if clients connected from there. Default: it adds none. */
  client: string | undefined
  /** Method and path of all requests, oldest first. */
  readonly received: readonly string[]
  /** Cuts every connection. */
  close(): Promise<void>
}

/** Starts a proxy on a free port of the loopback interface. */
export async function startAlternatingProxy(targets: readonly string[] = []): Promise<AlternatingProxy> {
  const agent = new Agent({ keepAlive: true })
  const received: string[] = []
  const settings: Pick<AlternatingProxy, 'targets' | 'prefix' | 'client'> = { targets, prefix: '', client: undefined }
  const server = await startHttpServer((incoming, response) => {
    const target = new URL(settings.targets[received.length % settings.targets.length] ?? '')
    const { method, url = '' } = incoming
    const headers = { ...incoming.headers, ...forwardedFor(incoming.headers['x-forwarded-for'], settings.client) }
    received.push(`${method} ${url}`)
    const path = url.startsWith(`${settings.prefix}/`) ? url.slice(settings.prefix.length) : url
    const outgoing = send({ host: target.hostname, port: target.port, method, path, headers, agent })
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders).flushHeaders()
      pipeline(answer, response, () => outgoing.destroy())
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
  return Object.assign(settings, {
    url: server.origin,
    received,
    async close() {
      await server.close()
      agent.destroy()
    },
  })
}

/** The header with one more address at its end, as reverse proxies write it. */
function forwardedFor(
  sent: string | readonly string[] | undefined,
  client: string | undefined,
): Readonly<Record<string, string>> {
  if (client === undefined) return {}
  return { 'x-forwarded-for': sent === undefined ? client : `${String(sent)}, ${client}` }
}
