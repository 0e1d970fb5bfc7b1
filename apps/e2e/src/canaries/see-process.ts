import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { type SeenMessage, seenMessages } from './seen-messages.ts'
import type { SeenPeer, SeenSecrets } from './seen-secrets.ts'

/** A request of undici, of the `fetch` of Node, or of a WebSocket that opens. */
interface UndiciRequest {
  readonly headers?: readonly string[]
  readonly path?: string
}

/**
 * Sees all messages of this process: of clients under test, of the servers and of the gateways that run in it. Node
 * publishes HTTP and WebSockets on channels of its own. Returns the function that ends it.
 */
export function seeProcess(secrets: SeenSecrets): () => void {
  const known = new WeakMap<object, SeenPeer>()
  const peerOf = (key: object, way: string): SeenPeer => {
    const peer = known.get(key) ?? secrets.peer(way)
    known.set(key, peer)
    return peer
  }
  const channels: Readonly<Record<string, (message: never) => void>> = {
    ...undiciChannels((request) => peerOf(request, 'http')),
    ...httpChannels((request) => peerOf(request, 'http')),
    'undici:websocket:open': ({ websocket }: { websocket: WebSocket }) => {
      seeWebSocket(websocket, peerOf(websocket, 'websocket'))
    },
    [seenMessages]({ peer, way, direction, headers = [], text }: SeenMessage) {
      const seen = peerOf(peer, way)
      seen.headers(direction, headers)
      seen[direction](text)
    },
  }
  for (const [name, see] of Object.entries(channels)) subscribe(name, see as (message: unknown) => void)
  return () => {
    for (const [name, see] of Object.entries(channels)) unsubscribe(name, see as (message: unknown) => void)
  }
}

type Channels = Readonly<Record<string, (message: never) => void>>

function undiciChannels(peerOf: (request: UndiciRequest) => SeenPeer): Channels {
  return {
    'undici:request:create': ({ request }: { request: UndiciRequest }) => {
      const peer = peerOf(request)
      peer.headers('sent', pairsOf(request.headers ?? []))
      peer.form('sent URL', request.path?.split('?')[1] ?? '')
    },
    'undici:request:bodyChunkSent': ({ request, chunk }: { request: UndiciRequest; chunk: Uint8Array | string }) => {
      const [peer, text] = [peerOf(request), Buffer.from(chunk).toString()]
      peer.form('sent body', text)
      peer.sent(text)
    },
    'undici:request:headers': (answer: {
      request: UndiciRequest
      response: { statusCode: number; headers: readonly Buffer[] }
    }) => {
      const { statusCode, headers } = answer.response
      const peer = peerOf(answer.request)
      peer.headers('received', pairsOf(headers.map((part) => part.toString('latin1'))))
      if (statusCode >= 400) peer.failed()
    },
    'undici:request:bodyChunkReceived': ({ request, chunk }: { request: UndiciRequest; chunk: Uint8Array }) => {
      peerOf(request).received(Buffer.from(chunk).toString())
    },
  }
}

function httpChannels(peerOf: (request: object) => SeenPeer): Channels {
  return {
    'http.client.request.start': ({ request }: { request: ClientRequest }) => {
      const peer = peerOf(request)
      peer.headers('sent', Object.entries(request.getHeaders()))
      peer.form('sent URL', request.path.split('?')[1] ?? '')
    },
    'http.server.request.start': ({ request }: { request: IncomingMessage }) => {
      const peer = peerOf(request)
      peer.headers('sent', Object.entries(request.headers))
      peer.form('sent URL', request.url?.split('?')[1] ?? '')
    },
    'http.server.response.finish': (answer: { request: IncomingMessage; response: ServerResponse }) => {
      peerOf(answer.request).headers('received', Object.entries(answer.response.getHeaders()))
    },
  }
}

function seeWebSocket(socket: WebSocket, peer: SeenPeer): void {
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') peer.received(data)
  })
  const send = socket.send.bind(socket)
  socket.send = (data) => {
    if (typeof data === 'string') peer.sent(data)
    send(data)
  }
}

/** Names and values that follow each other in a list. */
function pairsOf(flat: readonly string[]): readonly (readonly [string, string | undefined])[] {
  return Array.from({ length: Math.floor(flat.length / 2) }, (_, at) => [flat[2 * at] ?? '', flat[2 * at + 1]])
}
