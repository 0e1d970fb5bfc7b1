import type { Message } from '../message/message.ts'
import { printPayload, type Payload } from '../payload/payload.ts'
import { printString } from '../json/print-string.ts'
import { printV3 } from './print-v3.ts'
import type { RequestId } from '../message/request-id.ts'
import type { WireError } from '../message/wire-error.ts'

/** Printing options for differences between peers. */
export interface PrintOptions {
  /** Whether an error without a known id has `"id":null`, or no member `id`. */
  readonly nullId: boolean
}

/** Returns the JSON-RPC text of a message in its own dialect, in one line. */
export function printMessage(message: Message, { nullId }: PrintOptions): string {
  if (message.dialect === '3.0') return printV3(message)
  if (message.kind === 'request') return printRequest(message.id, message.method, message.params)
  if (message.kind === 'notification') return printNotification(message.method, message.params)
  if (message.kind === 'result') return printResult(message.id, message.result)
  return printError(message.id, message.error, nullId)
}

/** Returns the text of a request. */
export function printRequest(id: RequestId, method: string, params: Payload | undefined): string {
  const start = `{"jsonrpc":"2.0","id":${id},"method":${printString(method)}`
  return params === undefined ? `${start}}` : `${start},"params":${printPayload(params)}}`
}

/** Returns the text of a notification. */
export function printNotification(method: string, params: Payload | undefined): string {
  const start = `{"jsonrpc":"2.0","method":${printString(method)}`
  return params === undefined ? `${start}}` : `${start},"params":${printPayload(params)}}`
}

/** Returns the text of a successful response. */
export function printResult(id: RequestId, result: Payload): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${printPayload(result)}}`
}

/**
 * Returns the text of an error response. Without an id it has `"id":null` (JSON-RPC 2.0 section 5), or no id when
 * `nullId` is false.
 */
export function printError(id: RequestId | undefined, error: WireError, nullId: boolean): string {
  const member = id !== undefined ? `,"id":${id}` : nullId ? ',"id":null' : ''
  const data = error.data === undefined ? '' : `,"data":${printPayload(error.data)}`
  return `{"jsonrpc":"2.0"${member},"error":{"code":${error.code},"message":${printString(error.message)}${data}}}`
}
