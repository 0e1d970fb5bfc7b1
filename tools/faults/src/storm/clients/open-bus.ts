import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { createSdkClientTransport } from '@junctor/transport-nats'
import { connect } from '@nats-io/transport-node'
import { Unanswered } from './fetch-anywhere.ts'
import type { OpenOfficial } from './official-client.ts'
import { callTimeoutMs } from './storm-client.ts'

/**
 * A session of version 1 of the official SDK on NATS: the gateway that answers first is its own, and the session ends
 * with that gateway's process, or with the NATS server of its connection.
 */
export const openBus: OpenOfficial = async ({ canary, key, anywhere }, complain) => {
  const connection = await connect({ servers: [...anywhere.nats] })
  let over: string | undefined
  let complaint = 'the channel is closed'
  const client = new Client({ name: canary, version: '1' }, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: canary, age: 1 } }))
  Object.assign(client, {
    onerror({ message }: Error) {
      complaint = message
      complain(message)
    },
    onclose: () => (over = complaint),
  })
  try {
    const headers = { authorization: `Bearer ${key}` }
    await client.connect(createSdkClientTransport({ connection, client: canary, headers }), { timeout: callTimeoutMs })
  } catch (error) {
    await connection.close()
    // The SDK reports a killed gateway like one that answers with an error.
    throw over === undefined ? error : new Unanswered({ kind: 'refused', what: `no session: ${over}` })
  }
  return {
    async call(name, input, following) {
      if (over !== undefined) throw new Unanswered({ kind: 'refused', what: over })
      try {
        return await client.callTool({ name, arguments: input }, undefined, { timeout: callTimeoutMs, ...following })
      } catch (error) {
        if (over === undefined) throw error
        throw new Unanswered({ kind: 'lost', what: over })
      }
    },
    isOver: () => over !== undefined,
    async close() {
      await client.close()
      // Its last message, the close, must be sent.
      await connection.flush().catch(() => {})
      await connection.close()
    },
  }
}
