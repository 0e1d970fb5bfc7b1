import { isJsonObject, printPayload, type JsonObject, type Payload } from '@junctor/jsonrpc'

/** The value as it comes out at the other end of a wire: an object of its own, with what JSON can carry. */
export function asSent(payload: Payload | undefined): JsonObject {
  const value: unknown = payload && JSON.parse(printPayload(payload))
  return isJsonObject(value) ? value : {}
}
