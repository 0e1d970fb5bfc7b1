import type { Outcome } from '@junctor/exchange'
import { type JsonValue, memberOf, type Request } from '@junctor/jsonrpc'
import type { Call } from '../upstream/calls/call.ts'
import { failed } from '../upstream/calls/failed.ts'

/** The cursor with which a client requests a page of a list, as it sent it (Pagination). Libraries write none as null. */
export function cursorOf({ params }: Request): JsonValue | undefined {
  return memberOf(params?.value(), 'cursor') ?? undefined
}

/** The error for a cursor that is not of this list, or of an earlier state of it. */
export function unknownCursor(call: Call): Outcome {
  return failed(call, 'invalid_params', { message: 'Unknown cursor: list again from the start' })
}
