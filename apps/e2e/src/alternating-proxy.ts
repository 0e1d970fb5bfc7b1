import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One URL in front of several nodes: each request goes to the next node. */
export interface AlternatingProxy {
  readonly url: string
  /** The origins behind it. Set before the first request. */
  targets: readonly string[]
  /** The path below which clients see the nodes, which it removes. Default: none. */
  prefix: string
  /** The address that it adds to `X-Forwarded-For`, as if clients connected from there. Default: it adds none. */
  client: string | undefined
  /** Method and path of all requests, oldest first. */
  readonly received: readonly string[]
  close(): Promise<void>
}

export async function startAlternatingProxy(): Promise<AlternatingProxy> {
  const received: string[] = []
  const server = createServer((request, response) => {
    const target = new URL(proxy.targets[received.length % proxy.targets.length] ?? '')
    const { method, url = '' } = request
    const headers = { ...request.headers, ...forwardedFor(request.headers['x-forwarded-for'], proxy.client) }
    received.push(`${method} ${url}`)
    const path = url.startsWith(`${proxy.prefix}/`) ? url.slice(proxy.prefix.length) : url
    const forwarded = send({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const proxy: AlternatingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets: [],
    prefix: '',
    client: undefined,
    received,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
  return proxy
}

/** The header with one more address at its end, as reverse proxies write it. */
function forwardedFor(
  sent: string | readonly string[] | undefined,
  client: string | undefined,
): Readonly<Record<string, string>> {
  if (client === undefined) return {}
  return { 'x-forwarded-for': sent === undefined ? client : `${String(sent)}, ${client}` }
}
