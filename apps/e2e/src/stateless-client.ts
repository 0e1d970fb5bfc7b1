import { type JsonObject, type JsonValue, payloadOf } from '@junctor/jsonrpc'
import { encodeHeaderText, mirroredName } from '@junctor/protocol'
import type { Cell } from './cell.ts'
import type { GatewayUnderTest } from './gateway-under-test.ts'
import { createHttpWire, type HttpAnswer, type HttpWire } from './http-wire.ts'
import { resultOf } from './result-of.ts'
import type { OpenWire } from './wire.ts'
import { openWire } from './wire-client.ts'

/** The headers and `_meta` of requests of 2026-07-28. */
const version = '2026-07-28'
const prefix = 'io.modelcontextprotocol/'

/** How a client answers the questions in results: by method. */
type Answers = Readonly<Record<string, (params: JsonObject) => JsonObject | undefined>>

/** What a client of 2026-07-28 declares with each request. Default: no capabilities. */
export interface StatelessClientOptions {
  readonly capabilities?: JsonObject
  /** Members of every request's `_meta`, in addition. Null removes one. */
  readonly meta?: JsonObject
  /** Headers of every HTTP request. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A client of 2026-07-28 by hand. Over HTTP its requests go to the nodes in turn. */
export interface StatelessClient {
  readonly wire: OpenWire
  /** The same over HTTP. Undefined on connections. */
  readonly http: HttpWire | undefined
  /** `params` with the `_meta` of this client. */
  declared(params?: JsonObject, meta?: JsonObject): JsonObject
  /** Sends a request, and returns its head over HTTP. */
  send(method: string, params?: JsonObject, id?: JsonValue): Promise<HttpAnswer | undefined>
  /** Sends a request and waits for its response. */
  request(method: string, params?: JsonObject, id?: JsonValue): Promise<JsonObject>
  /** The same, and answers the questions in its results, until there are none. */
  complete(method: string, params: JsonObject, answers: Answers): Promise<JsonObject>
  /** The HTTP status of the last request. */
  status(): number | undefined
  close(): Promise<void>
}

/** Opens a client in a cell. Nothing is sent. */
export async function openStatelessClient(
  gateway: GatewayUnderTest,
  cell: Pick<Cell, 'way'>,
  { capabilities = {}, meta = {}, headers = {} }: StatelessClientOptions = {},
): Promise<StatelessClient> {
  const http = cell.way === 'http' ? createHttpWire(gateway.urls, headers) : undefined
  const wire = http ?? (await openWire(gateway, cell))
  let ids = 0
  let status: number | undefined

  const client: StatelessClient = {
    wire,
    http,
    declared(params = {}, more = {}) {
      const all: JsonObject = {
        [`${prefix}protocolVersion`]: version,
        [`${prefix}clientInfo`]: { name: 'stateless', version: '1' },
        [`${prefix}clientCapabilities`]: capabilities,
        ...meta,
        ...more,
      }
      return { ...params, _meta: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) }
    },
    async send(method, params = client.declared(), id = `m${ids++}`) {
      const message = { jsonrpc: '2.0', id, method, params }
      if (http === undefined) {
        await wire.send(message)
        return undefined
      }
      const answer = await http.post(message, mirrors(method, params))
      ;({ status } = answer)
      return answer
    },
    async request(method, params = client.declared(), id = `m${ids++}`) {
      await client.send(method, params['_meta'] === undefined ? client.declared(params) : params, id)
      const { message } = await wire.until(
        (received) => received.message['id'] === id && received.message['method'] === undefined,
      )
      return message
    },
    async complete(method, params, answers) {
      let response = await client.request(method, client.declared(params))
      for (;;) {
        const result = response['result'] as JsonObject | undefined
        if (result?.['resultType'] !== 'input_required') return response
        const { requestState } = result
        const inputResponses = answersTo(result, answers)
        response = await client.request(method, client.declared({ ...params, inputResponses, requestState }))
      }
    },
    status: () => status,
    close: () => wire.close(),
  }
  return client
}

/** Calls a tool in a POST of its own. `signal` closes the stream of its answer, as a client does that leaves. */
export function callUntil(url: string, params: JsonObject, signal: AbortSignal): Promise<Response> {
  const headers = {
    ...mirrors('tools/call', params),
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'gone', method: 'tools/call', params })
  return fetch(url, { method: 'POST', headers, body, signal })
}

/** The headers that repeat members of a request. */
export function mirrors(method: string, params: JsonObject): Readonly<Record<string, string>> {
  const name = mirroredName({ method, params: payloadOf(params) })
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': encodeHeaderText(name) }),
  }
}

/** The questions of a result, by key. */
export function questionsOf(result: JsonObject): Readonly<Record<string, { method: string; params?: JsonObject }>> {
  return (result['inputRequests'] ?? {}) as unknown as Readonly<Record<string, { method: string; params?: JsonObject }>>
}

/** The answers to the questions of a result; an answer that is undefined is left out. */
export function answersTo(result: JsonObject, answers: Answers): JsonObject {
  const given = Object.entries(questionsOf(result)).flatMap(([key, { method, params = {} }]) => {
    const answer = answers[method]?.(params)
    return answer === undefined ? [] : [[key, answer] as const]
  })
  return Object.fromEntries(given)
}

/** The result of a response that asks. Throws when it does not. */
export function askingResult(response: JsonObject): JsonObject {
  const result = resultOf(response)
  if (result['resultType'] !== 'input_required') throw new Error(`Expected questions, got ${JSON.stringify(response)}`)
  return result
}
