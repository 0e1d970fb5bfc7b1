import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An HTTP server for the calls of tools. */
export interface AnyApi {
  readonly url: string
  /** The requests so far. */
  count(): number
  close(): void
}

/** A server that takes any request, and answers an empty object. */
export async function startAnyApi(): Promise<AnyApi> {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    request.resume()
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => requests,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
