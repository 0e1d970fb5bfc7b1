import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { HttpAnswer } from './start-http-server.ts'

/**
 * Answers the requests of a server of Node by a function of the web's own types, as the official SDKs have. The signal of
 * the request aborts when its connection ends.
 */
export function webAnswer(fetch: (request: Request) => Promise<Response>): HttpAnswer {
  return async (message, response) => {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const { method = 'GET', headers, url = '' } = message
    const request = new Request(`http://${headers.host ?? '127.0.0.1'}${url}`, {
      method,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      signal: gone.signal,
      ...(method === 'POST' && { body: Readable.toWeb(message) as ReadableStream, duplex: 'half' as const }),
    })
    const answer = await fetch(request)
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).flushHeaders()
    if (answer.body === null) response.end()
    else await pipeline(Readable.fromWeb(answer.body), response)
  }
}
