import { payloadOf, printPayload, type JsonObject, type Payload } from '@junctor/jsonrpc'

/**
 * A payload of a value that an author made. It is serialized immediately, so that a value that JSON cannot carry (a
 * bigint, a circular reference) throws here, where the errors of the handler are caught.
 */
export function printedPayload(value: object): Payload {
  const payload = payloadOf(value as JsonObject)
  printPayload(payload)
  return payload
}
