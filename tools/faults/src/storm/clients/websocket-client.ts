import { once } from 'node:events'
import { WebSocket } from 'undici'
import type { JsonObject } from '@junctor/jsonrpc'
import type { Call } from '../ledger/attempt.ts'
import { errorOutcome, type Outcome } from '../ledger/outcome.ts'
import { callMessage } from './call-message.ts'
import { outcomeOf } from './http-3-client.ts'
import { beforeCall } from './official-client.ts'
import { outcomeOfRejection, Unanswered } from './fetch-anywhere.ts'
import { initializeMessage } from './raw-session.ts'
import { idText } from './results.ts'
import { type ClientOptions, patienceMs, type StormClient } from './storm-client.ts'

interface Connection {
  readonly socket: WebSocket
  readonly waiting: Map<string, (outcome: Outcome) => void>
}

/** A client by hand over WebSockets: each connection is a session, at the gateway that it happened to reach. */
export function createWebSocketClient(options: ClientOptions): StormClient {
  const { canary } = options
  const strays: string[] = []
  let opening: Promise<Connection> | undefined

  const lose = (connection: Connection, what: string): void => {
    for (const done of connection.waiting.values()) done({ kind: 'lost', what })
    connection.waiting.clear()
  }

  const receive = ({ socket, waiting }: Connection, message: JsonObject): void => {
    const { id, method, params } = message
    if (method === 'elicitation/create') {
      const result = { action: 'accept', content: { name: canary, age: 1 } }
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }))
    } else if (method === 'notifications/progress') {
      const { progressToken, message: text } = params as { progressToken?: string; message?: string }
      if (progressToken !== text) strays.push(`progress of "${text}" for ${progressToken}`)
    } else if (method === undefined) {
      const done = waiting.get(idText(id))
      waiting.delete(idText(id))
      if (done !== undefined) done(outcomeOf(message))
      else if (!idText(id).startsWith(canary)) strays.push(`an answer to ${idText(id)}`)
    }
  }

  const ask = (connection: Connection, message: JsonObject): Promise<Outcome> => {
    const answered = Promise.withResolvers<Outcome>()
    const timer = setTimeout(() => answered.resolve({ kind: 'silent', what: 'no answer on the socket' }), patienceMs)
    connection.waiting.set(idText(message['id']), answered.resolve)
    connection.socket.send(JSON.stringify(message))
    return answered.promise.finally(() => clearTimeout(timer))
  }

  const connect = async (): Promise<Connection> => {
    const connection = { socket: await openSocket(options), waiting: new Map<string, (outcome: Outcome) => void>() }
    const { socket } = connection
    const mine = opening
    socket.addEventListener('message', ({ data }) => receive(connection, JSON.parse(String(data)) as JsonObject))
    socket.addEventListener('close', ({ code }) => {
      if (opening === mine) opening = undefined
      lose(connection, `the socket was closed with ${code}`)
    })
    const opened = await ask(connection, initializeMessage(canary))
    if (opened.kind !== 'result') {
      socket.close()
      throw new Unanswered(opened)
    }
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
    return connection
  }

  const attempt = async (call: Call): Promise<Outcome> => {
    let connection: Connection
    opening ??= Promise.resolve().then(connect)
    const mine = opening
    try {
      connection = await mine
    } catch (error) {
      if (opening === mine) opening = undefined
      return beforeCall(outcomeOfRejection(error, () => errorOutcome({ message: String(error) })))
    }
    if (connection.socket.readyState !== WebSocket.OPEN) return { kind: 'refused', what: 'the socket is closed' }
    return ask(connection, callMessage('2.0', call, { _meta: { progressToken: call.id } }))
  }

  return {
    kind: 'websocket',
    canary,
    strays,
    attempt: async (call) => ({ outcome: await attempt(call) }),
    async close() {
      const connection = await opening?.catch(() => undefined)
      if (connection === undefined || connection.socket.readyState === WebSocket.CLOSED) return
      const closed = once(connection.socket, 'close')
      connection.socket.close()
      await closed
    },
  }
}

async function openSocket({ key, anywhere }: ClientOptions): Promise<WebSocket> {
  for (const url of anywhere.urls()) {
    const socket = new WebSocket(url.replace('http:', 'ws:'), {
      protocols: ['mcp'],
      headers: { authorization: `Bearer ${key}` },
    })
    const opened = Promise.withResolvers<boolean>()
    socket.addEventListener('open', () => opened.resolve(true))
    socket.addEventListener('error', () => opened.resolve(false))
    // One gateway after the other.
    // oxlint-disable-next-line no-await-in-loop
    if (await opened.promise) return socket
  }
  throw new Unanswered({ kind: 'refused', what: 'no gateway takes a WebSocket' })
}
