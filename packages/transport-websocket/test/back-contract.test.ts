import { type Receiver, silentLog, emitNothing } from '@junctor/contracts'
import { describeTransport, type EchoedTransport } from '@junctor/testkit'
import { createWebSocketClient } from '../src/back/index.ts'
import { startEchoServer } from './echo-server.ts'

async function createEchoed(receiver: Receiver): Promise<EchoedTransport> {
  const server = await startEchoServer()
  const client = createWebSocketClient({
    backend: 'echo',
    url: server.url,
    limits: { closeMs: 200 },
    log: silentLog,
    emit: emitNothing,
  })
  const transport = await client.open(receiver, new AbortController().signal)
  const [socket] = server.sockets
  return {
    transport,
    stall: () => socket?.pause(),
    resume: () => socket?.resume(),
    destroy: () => void socket?.destroy(),
    dispose() {
      socket?.resume()
      return server.close()
    },
  }
}

describeTransport('a WebSocket', createEchoed)
