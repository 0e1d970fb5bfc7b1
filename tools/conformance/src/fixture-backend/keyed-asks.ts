import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'

/** The answer of a client to a question. */
export type KeyedAnswer =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly error: { message: string } }

/** Asks the client of a request, under an id of the asker's choice. */
export type KeyedAsk = (to: RequestId, key: string, method: string, params: object) => Promise<KeyedAnswer>

/**
 * Questions whose ids are names: the suite of 2026-07-28 expects certain names for certain questions. The SDK numbers its
 * own requests, so these are sent beside it.
 */
export function createKeyedAsks(server: Server): KeyedAsk {
  const open = new Map<RequestId, (answer: KeyedAnswer) => void>()
  let isHooked = false

  const hook = (): void => {
    const { transport } = server
    if (isHooked || transport === undefined) return
    isHooked = true
    const { onmessage } = transport
    // The SDK's transports are no event targets.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    transport.onmessage = (message: JSONRPCMessage, extra) => {
      const id = 'id' in message && !('method' in message) ? message.id : undefined
      const settle = id === undefined ? undefined : open.get(id)
      if (id === undefined || settle === undefined) return onmessage?.(message, extra)
      open.delete(id)
      if ('result' in message) settle({ result: message.result })
      else if ('error' in message) settle({ error: message.error })
    }
  }

  return async (to, key, method, params) => {
    hook()
    const { promise, resolve } = Promise.withResolvers<KeyedAnswer>()
    open.set(key, resolve)
    await server.transport?.send({ jsonrpc: '2.0', id: key, method, params: { ...params } }, { relatedRequestId: to })
    return promise
  }
}
