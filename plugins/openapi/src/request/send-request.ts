import { type HttpClient, retryAfterMs } from '@junctor/plugin-sdk/http'
import { isIdempotent } from '../tools/annotations.ts'
import type { BuiltRequest } from './build-request.ts'

/** An answer of the API with its whole body. */
export interface ApiAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Uint8Array
}

/** The pauses before a request is sent again, in milliseconds. As many as there are attempts after the first. */
const pausesMs = [250, 1000]

/** A server that asks for a longer pause is not asked again: the caller decides. */
const longestPauseMs = 3000

/** Statuses of servers that are overloaded or away for a moment. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Sends requests, with a pause before those that are sent again. */
export interface SendParts {
  readonly http: Pick<HttpClient, 'request'>
  readonly maxBytes: number
  /** Resolves after this many milliseconds, or rejects when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * Sends a request and reads the answer. Requests without another effect are sent again when the server was overloaded. Those
 * whose connection was lost are left to the gateway.
 *
 * @throws HttpRequestError when there is no usable answer
 */
export async function sendRequest(
  request: Extract<BuiltRequest, { kind: 'request' }>,
  signal: AbortSignal,
  { http, maxBytes, pause }: SendParts,
): Promise<ApiAnswer> {
  const { url, method, headers, body } = request
  const attempt = async (): Promise<ApiAnswer> => {
    const sent = { method, headers, signal, maxBytes, ...(body !== undefined && { body }) }
    const response = await http.request(url, sent)
    return { status: response.status, headers: response.headers, body: await response.bytes() }
  }
  for (const pauseMs of isIdempotent(method) ? pausesMs : []) {
    // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
    const answer = await attempt()
    const waitMs = waitBefore(answer, pauseMs)
    if (waitMs === undefined) return answer
    // oxlint-disable-next-line no-await-in-loop
    await pause(waitMs, signal)
  }
  return attempt()
}

/** How long to wait before the request is sent again; `undefined`: it is not. */
function waitBefore({ status, headers }: ApiAnswer, pauseMs: number): number | undefined {
  if (!passing.has(status)) return undefined
  const asked = retryAfterMs(headers['retry-after'], Date.now()) ?? pauseMs
  return asked <= longestPauseMs ? asked : undefined
}
