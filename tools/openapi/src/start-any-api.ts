import { text } from 'node:stream/consumers'
import { startHttpServer } from '@junctor/testkit/http'

/** An HTTP server for the calls of tools. */
export interface AnyApi {
  readonly url: string
  /** The requests so far. */
  count(): number
  close(): Promise<void>
}

/** A server that takes any request, and answers an empty object. */
export async function startAnyApi(): Promise<AnyApi> {
  let requests = 0
  const { origin, close } = await startHttpServer(async (request, response) => {
    requests += 1
    await text(request)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  return { url: origin, count: () => requests, close }
}
