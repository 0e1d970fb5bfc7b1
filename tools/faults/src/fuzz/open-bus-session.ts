import type { JsonObject } from '@junctor/jsonrpc'
import { createSdkClientTransport } from '@junctor/transport-nats'
import { connect } from '@nats-io/transport-node'
import { ConnectedSession } from './connected-session.ts'
import { type OpenOptions, openings } from './open-http-session.ts'
import { createSession, initializeAt, type Opening } from './open-session.ts'
import { busNode } from './start-fuzz-nodes.ts'

/** How soon a silent node is asked whether it is there, in milliseconds: one that is killed says no goodbye. */
const streamKeepAliveMs = 1_000

/** Opens a session that is a channel on NATS, at the node that serves those. */
export async function openBusSession({ client, kind, key, nats }: OpenOptions): Promise<Opening> {
  const began = performance.now()
  const id = `bus-${client}-${Math.round(began)}`
  const connection = await connect({ servers: [...nats] }).catch(() => undefined)
  if (connection === undefined) return { kind: 'refused' }
  const transport = createSdkClientTransport({
    connection,
    tenant: 'plain',
    client: `client-${client}`,
    headers: { authorization: `Bearer ${key}` },
    limits: { streamKeepAliveMs },
  })
  let isOpen = true
  const session = createSession({ id, client, kind, node: busNode, began })
  const opened = new ConnectedSession(session, {
    get isOpen() {
      return isOpen
    },
    send(message) {
      // What cannot be sent any more is not answered.
      transport.send(message).catch(() => {})
    },
    async close() {
      await transport.close()
      // Its last message, the close, must be sent.
      await connection.flush().catch(() => {})
      await connection.close()
    },
  })
  Object.assign(transport, {
    onmessage: (message: JsonObject) => opened.receive(message),
    onclose() {
      isOpen = false
      opened.closed()
    },
  })
  const isConnected = await transport.start().then(
    () => true,
    () => false,
  )
  if (isConnected) return initializeAt(busNode, opened, openings.bus, () => opened.end())
  await opened.end()
  return { kind: 'refused' }
}
