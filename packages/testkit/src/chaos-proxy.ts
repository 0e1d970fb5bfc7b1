import { once } from 'node:events'
import { type AddressInfo, createServer, connect, type Socket } from 'node:net'
import { ChaosPipe } from './chaos-pipe.ts'
import type { Toxics } from './toxics.ts'

/** From the client to the server, or back. */
export type Stream = 'upstream' | 'downstream'

/** The server behind the proxy. The proxy itself takes a free port. */
export interface ChaosProxyOptions {
  /** The port of the server behind the proxy. */
  readonly port: number
}

/** A TCP proxy on the loopback interface that simulates network faults. */
export interface ChaosProxy {
  readonly port: number
  /** The number of open connections. */
  readonly connections: number
  /** The number of connections that were ever opened. */
  readonly opened: number
  /** Applies these toxics, and no others, to one direction of all connections, open ones too. Default: none. */
  set(stream: Stream, toxics?: Toxics): void
  /** Closes every connection, and refuses new ones until `up`. */
  down(): Promise<void>
  up(): Promise<void>
  close(): Promise<void>
}

/** A client's connection, and the connection to the server that continues it. */
interface Pair {
  readonly client: Socket
  readonly server: Socket
  readonly pipes: Readonly<Record<Stream, ChaosPipe>>
}

/** Starts a proxy in front of a server. After `close` it leaves nothing open. */
export async function createChaosProxy({ port: target }: ChaosProxyOptions): Promise<ChaosProxy> {
  const toxics: Record<Stream, Toxics> = { upstream: {}, downstream: {} }
  const pairs = new Set<Pair>()
  let opened = 0
  let listener = createServer()

  const take = (client: Socket): void => {
    opened += 1
    const server = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true })
    const pair: Pair = joined(client, server, toxics, () => pairs.delete(pair))
    pairs.add(pair)
  }

  const listen = async (port: number): Promise<number> => {
    listener = createServer({ allowHalfOpen: true, noDelay: true }, take)
    listener.listen(port, '127.0.0.1')
    await once(listener, 'listening')
    return (listener.address() as AddressInfo).port
  }

  const down = async (): Promise<void> => {
    for (const { client, server } of pairs) {
      client.destroy()
      server.destroy()
    }
    if (!listener.listening) return
    const closed = once(listener, 'close')
    listener.close()
    await closed
  }

  const port = await listen(0)
  return {
    port,
    get connections() {
      return pairs.size
    },
    get opened() {
      return opened
    },
    set(stream, next = {}) {
      toxics[stream] = next
      for (const { pipes } of pairs) pipes[stream].set(next)
    },
    down,
    async up() {
      if (!listener.listening) await listen(port)
    },
    close: down,
  }
}

/** Carries bytes in both directions until one side closes; then closes the other side too. */
function joined(client: Socket, server: Socket, toxics: Readonly<Record<Stream, Toxics>>, over: () => void): Pair {
  const end = (): void => {
    over()
    for (const pipe of Object.values(pipes)) pipe.close()
    client.destroy()
    server.destroy()
  }
  const reset = (): void => {
    client.resetAndDestroy()
    server.resetAndDestroy()
  }
  const pipes: Pair['pipes'] = {
    upstream: new ChaosPipe({ from: client, to: server, toxics: toxics.upstream, end, reset }),
    downstream: new ChaosPipe({ from: server, to: client, toxics: toxics.downstream, end, reset }),
  }
  for (const socket of [client, server]) socket.on('error', () => {}).on('close', end)
  return { client, server, pipes }
}
