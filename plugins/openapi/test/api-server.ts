import type { ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { startHttpServer } from '@junctor/testkit/http'

/** A request as the server received it. */
interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

/** What the server answers. */
export type Reply = (request: ReceivedRequest, response: ServerResponse) => void

/** An HTTP server for one test, on a free port of 127.0.0.1. */
export interface ApiServer {
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
  /** Replaces what it answers. */
  reply(next: Reply): void
  close(): Promise<void>
}

/**
 * Starts it. The test closes it.
 *
 * @param first what it answers until the test replaces that
 */
export async function startApiServer(first: Reply): Promise<ApiServer> {
  const requests: ReceivedRequest[] = []
  let reply = first
  const { origin, close } = await startHttpServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const received = { method, url, headers, body: await buffer(request) }
    requests.push(received)
    reply(received, response)
  })
  return { url: origin, requests, reply: (next) => (reply = next), close }
}

/** Answers with JSON. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
  }
}
