import { type Payload, payloadFromText, printPayload, payloadOf, type RequestId } from '@junctor/plugin-sdk/link'

/** The params of `notifications/cancelled` for a request of this link. */
export function cancellation(id: RequestId, reason: string): Payload {
  // An id is its own JSON text.
  return payloadFromText(`{"requestId":${id},"reason":${printPayload(payloadOf(reason))}}`)
}
