import {
  payloadFromText,
  payloadOf,
  printPayload,
  rawNumbersIn,
  type JsonObject,
  type JsonValue,
  type Payload,
} from '@junctor/jsonrpc'

/**
 * A payload of a value that an author made. It is serialized immediately, so that a value that JSON cannot carry (a
 * bigint, a circular reference) throws here, where the errors of the handler are caught.
 */
export function printedPayload(value: object): Payload {
  const payload = payloadOf(value as JsonObject)
  printPayload(payload)
  return payload
}

/**
 * A payload of a value in which raw numbers of `parseExactly` may be. Who sends it on sends their digits; who reads it
 * sees doubles, as in any payload.
 */
export function exactPayload(value: JsonValue): Payload {
  const payload = printedPayload(value as object)
  return rawNumbersIn(value).next().done === true ? payload : payloadFromText(printPayload(payload))
}
