import {
  type JsonObject,
  payloadOf,
  requestId,
  printAck,
  printChunk,
  printV3,
  printV3Error,
  printV3Result,
} from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import { askNumber } from './ask-number.ts'
import type { DialectMessages } from './dialect-messages.ts'
import type { NotificationBody } from './event.ts'
import { progressParams } from './shown-progress.ts'
import type { View } from './view.ts'

/**
 * The messages for clients that use JSON-RPC 3.0. For a client that asked for a stream, every chunk is a message, and
 * acks, errors and the result are in stream form, for every method (section 6). Progress is sent as repeated acks if the
 * client has negotiated that (section 5.3), else as in MCP.
 */
export const v3Messages: DialectMessages = {
  ack: printAckOf,
  progress(view, shown) {
    const { progress, total } = shown
    if (view.extensions.includes('progress')) return printAckOf(view, { progress, total })
    return printNotification({ method: methods.notificationsProgress, params: progressParams(view, shown) })
  },
  // Values without a JSON form, such as undefined, become null.
  chunk: ({ id, stream }, data) => (stream ? printChunk(id, JSON.stringify(data) ?? 'null') : undefined),
  notification: printNotification,
  ask: ({ id, request: { method, params } }) =>
    printV3({ kind: 'request', dialect: '3.0', id: requestId(askNumber(id)), method, params }),
  outcome: ({ id, stream }, outcome) =>
    outcome.kind === 'complete' ? printV3Result(id, outcome.result, stream) : printV3Error(id, outcome.error, stream),
  answersCancelled: true,
}

function printAckOf({ id, stream }: View, info: JsonObject | undefined): string {
  if (info === undefined) return printAck(id, undefined, stream)
  if (!stream) return printAck(id, payloadOf(info), false)
  // In the ack of a stream, the member `id` is the id of the stream (section 6.5).
  const { id: _id, ...rest } = info
  return printAck(id, payloadOf(rest), true)
}

function printNotification({ method, params }: NotificationBody): string {
  return printV3({ kind: 'notification', dialect: '3.0', method, params })
}
