import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:http'

/** An HTTP request of which nothing is added but what HTTP itself needs: `Host` and `Origin` can be anything. */
export interface RawRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The head of an answer, and its body when that has ended. */
export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  text(): Promise<string>
  /** Hears what comes of the body, as it comes. */
  onText(hear: (text: string) => void): void
  /** Closes the connection. */
  drop(): void
}

/** Resolves with the head of the answer. */
export function rawRequest(
  url: string,
  { method = 'POST', headers = {}, body = '' }: RawRequest = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers: { connection: 'close', ...headers } }, (response) => {
      response.setEncoding('utf8')
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        async text() {
          let text = ''
          for await (const chunk of response) text += chunk as string
          return text
        },
        onText: (hear) => void response.on('data', hear),
        drop: () => response.destroy(),
      })
    })
    asking.on('error', reject)
    asking.end(body)
  })
}
