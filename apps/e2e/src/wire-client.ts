import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import type { Revision } from '@junctor/protocol'
import { openBusWire } from './bus-wire.ts'
import type { Cell } from './cell.ts'
import type { BusUnderTest, GatewayUnderTest } from './gateway-under-test.ts'
import { createHttpWire, type HttpWire } from './http-wire.ts'
import { createStdioWire } from './stdio-wire.ts'
import { openWebSocketWire } from './websocket-wire.ts'
import type { OpenWire, Wire } from './wire.ts'

/** How a client answers questions: results by method. */
type Answers = Readonly<Record<string, (params: JsonObject) => JsonObject | Promise<JsonObject>>>

/**
 * How a client introduces itself, and what it answers. Default: the revision of its cell, no capabilities, and no
 * answer to any request of the server.
 */
export interface WireClientOptions {
  readonly revision?: Revision
  readonly capabilities?: JsonObject
  readonly answers?: Answers
  readonly name?: string
  /** Whether to open the session's own stream. Default: true. */
  readonly listens?: boolean
  /** Headers of every HTTP request, or of the request that opens a WebSocket. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A client with an open session. */
export interface WireClient extends Wire {
  /** The result of `initialize`. */
  readonly opened: JsonObject
  /** Sends a request and waits for its response: an object with `result` or `error`. */
  request(method: string, params?: JsonObject, id?: JsonValue): Promise<JsonObject>
  notify(method: string, params?: JsonObject): Promise<void>
  /** The received messages with this method, in order. Does not contain responses. */
  messagesOf(method: string): readonly JsonObject[]
}

/** A client with a session over HTTP, whose requests can also be sent one by one. */
export type HttpWireClient = WireClient & HttpWire

/** Opens a session in a cell: over HTTP with the nodes in turn, or on a connection to the first node. */
export async function openClient(
  gateway: GatewayUnderTest,
  cell: Cell,
  options: WireClientOptions = {},
): Promise<WireClient> {
  if (cell.way === 'http') return openHttpClient(gateway, cell, options)
  return shakeHands(await openWire(gateway, cell, options.headers), cell, options)
}

/** A new wire in a cell, without any messages. */
export async function openWire(
  gateway: GatewayUnderTest,
  { way }: Pick<Cell, 'way'>,
  headers?: Readonly<Record<string, string>>,
): Promise<OpenWire> {
  if (way === 'http') return createHttpWire(gateway.urls)
  if (way === 'stdio') return createStdioWire(gateway.stdio())
  if (way === 'bus') return openBusWire(gateway.bus as BusUnderTest)
  return openWebSocketWire(gateway.urls[0] as string, headers)
}

/** Opens a session over HTTP with the nodes in turn. */
export async function openHttpClient(
  gateway: Pick<GatewayUnderTest, 'urls'>,
  cell: Pick<Cell, 'revision'>,
  options: WireClientOptions = {},
): Promise<HttpWireClient> {
  return shakeHands(createHttpWire(gateway.urls, options.headers), cell, options)
}

async function shakeHands<Kind extends OpenWire>(
  wire: Kind,
  cell: Pick<Cell, 'revision'>,
  options: WireClientOptions,
): Promise<WireClient & Kind> {
  let ids = 0
  const client: WireClient & Kind = Object.assign(wire, {
    opened: {},
    async request(method: string, params?: JsonObject, id: JsonValue = `r${ids++}`): Promise<JsonObject> {
      await wire.send({ jsonrpc: '2.0', id, method, ...(params && { params }) })
      const { message } = await wire.until(
        (received) => received.message['id'] === id && received.message['method'] === undefined,
      )
      return message
    },
    notify: (method: string, params?: JsonObject) => wire.send({ jsonrpc: '2.0', method, ...(params && { params }) }),
    messagesOf: (method: string) =>
      wire.received.map(({ message }) => message).filter((message) => message['method'] === method),
  })
  answerQuestions(wire, options.answers ?? {})
  const response = await client.request('initialize', {
    protocolVersion: options.revision ?? cell.revision,
    capabilities: options.capabilities ?? {},
    clientInfo: { name: options.name ?? 'wire', version: '1' },
  })
  Object.assign(client, { opened: response['result'] ?? {} })
  await client.notify('notifications/initialized')
  if (options.listens !== false) await wire.listen?.()
  return client
}

function answerQuestions(wire: OpenWire, answers: Answers): void {
  wire.onMessage((message) => {
    const { method, id, params } = message
    if (typeof method !== 'string' || id === undefined) return
    const answer = answers[method]
    if (answer === undefined) return
    const send = async (): Promise<void> => {
      const result = await answer((params ?? {}) as JsonObject)
      await wire.send({ jsonrpc: '2.0', id, result })
    }
    send().catch((error: unknown) => {
      // The client was closed before its answer was confirmed.
      if (!(error instanceof Error) || error.name !== 'AbortError') throw error
    })
  })
}
