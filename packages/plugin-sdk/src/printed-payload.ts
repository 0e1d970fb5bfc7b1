import { payloadOf, printPayload, type JsonObject, type Payload } from '@junctor/jsonrpc'

/**
 * A payload of something that an author made. It is printed here and now: what JSON cannot carry (a bigint, a circle)
 * is a fault of the handler, to be thrown where the handler's faults are caught.
 */
export function printedPayload(value: object): Payload {
  const payload = payloadOf(value as JsonObject)
  printPayload(payload)
  return payload
}
