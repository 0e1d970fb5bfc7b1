import { isJsonObject, printPayload, type JsonObject, type Payload } from '@junctor/jsonrpc'

/** The value after a round trip through JSON: a new object that contains only what JSON can carry. */
export function asSent(payload: Payload | undefined): JsonObject {
  const value: unknown = payload && JSON.parse(printPayload(payload))
  return isJsonObject(value) ? value : {}
}
