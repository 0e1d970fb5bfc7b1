import {
  invalidResponse,
  type JsonObject,
  JunctorError,
  type Log,
  type Message,
  parseFrame,
  type Payload,
  printPayload,
  requestId,
  type RequestId,
  requestIdValue,
  type Transport,
} from '@junctor/plugin-sdk/link'
import type { CorrelatingReceiver } from './connection/mcp-link.ts'

/** A message as the official SDKs pass it to and from a transport. */
type SdkMessage = JsonObject & { readonly jsonrpc: '2.0' }

/** The part of the official SDKs' `Transport` that a server needs; the same in version 1 and 2. */
export interface SdkServerTransport {
  /** Called by the SDK before the first message. */
  start(): Promise<void>
  /** Takes one message of the server. `relatedRequestId` is the request that caused it. */
  send(message: unknown, options?: { readonly relatedRequestId?: string | number | undefined }): Promise<void>
  /** Closes it. `onclose` is called once. */
  close(): Promise<void>
  /** Set by the SDK: called once, when the transport is closed. */
  onclose?: (() => void) | undefined
  /** Set by the SDK: called for errors of the transport. */
  onerror?: ((error: Error) => void) | undefined
  // Both SDKs declare their exact message types here, to which no other type is assignable.
  /** Set by the SDK: receives each message of the client. */
  onmessage?: ((message: never) => void) | undefined
}

/** The two ends of a connection to an SDK server in this process. */
export interface SdkConnection {
  /** The server's end. */
  readonly sdk: SdkServerTransport
  /** The link's end. */
  readonly transport: Transport
}

/**
 * Connects a link with an SDK server. Each side receives copies, so that changes by one side do not affect the other.
 */
export function createSdkConnection(receiver: CorrelatingReceiver, log: Log): SdkConnection {
  const closed = Promise.withResolvers<Error | undefined>()
  let over = false

  const end = (error: Error | undefined): void => {
    if (over) return
    over = true
    closed.resolve(error)
    sdk.onclose?.()
  }

  const sdk: SdkServerTransport = {
    start: () => Promise.resolve(),
    send(message, options) {
      if (over) return Promise.reject(new JunctorError('CLOSED', 'The link was closed'))
      const printed = printSdkMessage(message)
      if (printed.kind === 'unprintable') {
        log.warn('a server in this process sent what cannot be printed as JSON', { error: printed.error })
        if (printed.answers !== undefined) receiver.message(invalidResponse(printed.answers, printed.error.message))
        return Promise.reject(printed.error)
      }
      const related = options?.relatedRequestId
      const frame = parseFrame(printed.text)
      if (frame.kind === 'message')
        receiver.message(frame.message, related === undefined ? undefined : requestId(related))
      else {
        log.warn('a server in this process sent input that is not a message', { kind: frame.kind })
        if (frame.kind === 'unreadable' && frame.answers !== undefined)
          receiver.message(invalidResponse(frame.answers, frame.message))
      }
      return Promise.resolve()
    },
    close() {
      end(new JunctorError('BACKEND_EXITED', 'The server closed its transport'))
      return Promise.resolve()
    },
  }

  const transport: Transport = {
    closed: closed.promise,
    send(message) {
      if (!over) (sdk.onmessage as ((message: SdkMessage) => void) | undefined)?.(toSdkMessage(message))
      return undefined
    },
    close(reason) {
      end(reason)
      return Promise.resolve()
    },
  }
  return { sdk, transport }
}

/** The text of a message of a server, or why it has none and which request it would have answered. */
type PrintedMessage =
  | { readonly kind: 'printed'; readonly text: string }
  | { readonly kind: 'unprintable'; readonly error: Error; readonly answers: RequestId | undefined }

/** Prints a message. A result of the code of a server may have a BigInt, or a circle, which JSON does not have. */
function printSdkMessage(message: unknown): PrintedMessage {
  try {
    return { kind: 'printed', text: JSON.stringify(message) }
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new TypeError(String(thrown))
    const { method, id } = message as { readonly method?: unknown; readonly id?: string | number }
    return { kind: 'unprintable', error, answers: method === undefined && id !== undefined ? requestId(id) : undefined }
  }
}

function toSdkMessage(message: Message): SdkMessage {
  switch (message.kind) {
    case 'request':
      return { jsonrpc: '2.0', id: requestIdValue(message.id), method: message.method, ...paramsOf(message.params) }
    case 'notification':
      return { jsonrpc: '2.0', method: message.method, ...paramsOf(message.params) }
    case 'result':
      return { jsonrpc: '2.0', id: requestIdValue(message.id), result: copyOf(message.result) }
    case 'ack':
    case 'chunk':
    case 'abort':
      throw new TypeError(`A JSON-RPC 3.0 ${message.kind} cannot be sent to an SDK server`)
    case 'error':
      break
  }
  const { id, error } = message
  const { code, message: text, data } = error
  return {
    jsonrpc: '2.0',
    ...(id === undefined ? {} : { id: requestIdValue(id) }),
    error: { code, message: text, ...(data === undefined ? {} : { data: copyOf(data) }) },
  }
}

function paramsOf(params: Payload | undefined): JsonObject {
  return params === undefined ? {} : { params: copyOf(params) }
}

function copyOf(payload: Payload): JsonObject {
  return JSON.parse(printPayload(payload)) as JsonObject
}
