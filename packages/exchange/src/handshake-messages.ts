import { printError, printNotification, printRequest, printResult, requestId } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import { askNumber } from './ask-number.ts'
import type { DialectMessages } from './dialect-messages.ts'
import { progressParams } from './shown-progress.ts'

/**
 * The messages for clients of 2024-11-05 to 2025-11-25 that use JSON-RPC 2.0. Acks and chunks are not sent. Asks are
 * requests with the number of the ask.
 */
export const handshakeMessages: DialectMessages = {
  ack: () => undefined,
  progress: (view, progress) => printNotification(methods.notificationsProgress, progressParams(view, progress)),
  chunk: () => undefined,
  notification: ({ method, params }) => printNotification(method, params),
  ask: ({ id, request }) => printRequest(requestId(askNumber(id)), request.method, request.params),
  outcome: ({ id }, outcome) =>
    outcome.kind === 'complete' ? printResult(id, outcome.result) : printError(id, outcome.error, false),
  // The sender of a cancellation ignores a later response (Cancellation).
  answersCancelled: false,
}
