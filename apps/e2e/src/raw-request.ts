import { type IncomingHttpHeaders, request } from 'node:http'

/** An HTTP request without added headers, except those that HTTP itself needs. `Host` and `Origin` can be anything. */
export interface RawRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The head of a response, and its body when that has ended. */
export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  text(): Promise<string>
  /** Calls the listener with each piece of the body. */
  onText(listener: (text: string) => void): void
  /** Closes the connection. */
  drop(): void
}

/** Resolves with the head of the response. */
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
        onText: (listener) => void response.on('data', listener),
        drop: () => response.destroy(),
      })
    })
    asking.on('error', reject)
    asking.end(body)
  })
}
