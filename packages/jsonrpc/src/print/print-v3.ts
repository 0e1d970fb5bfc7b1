import type { Message } from '../message/message.ts'
import { printPayload, type Payload } from '../payload/payload.ts'
import { printString } from '../json/print-string.ts'
import type { RequestId } from '../message/request-id.ts'
import type { WireError } from '../message/wire-error.ts'

/** Returns the JSON-RPC 3.0 text of a message, in one line and in the canonical form of sections 4 to 6. */
export function printV3(message: Message): string {
  switch (message.kind) {
    case 'request':
      return `${head},"id":${message.id}${printCall(message.method, message.params, message.options)}`
    case 'notification':
      return head + printCall(message.method, message.params, message.options)
    case 'result':
      return printV3Result(message.id, message.result, message.stream === true)
    case 'error':
      return printV3Error(message.id, message.error, message.stream === true)
    case 'ack':
      return printAck(message.id, message.info, message.stream === true)
    case 'chunk':
      return printChunk(message.id, printPayload(message.data))
    case 'abort':
      break
  }
  return printAbort(message.id)
}

const head = '{"jsonrpc":"3.0"'

/** Returns the text of a successful response; in stream form its id is inside `stream` (section 6.2). */
export function printV3Result(id: RequestId, result: Payload, stream: boolean): string {
  return `${head}${printIdOf(id, stream)},"result":${printPayload(result)}}`
}

/**
 * Returns the text of an error response; in stream form its id is inside `stream` (section 6.3), unless it is unknown.
 * It always has a title (section 5.2): that of the error, or its message.
 */
export function printV3Error(id: RequestId | undefined, error: WireError, stream: boolean): string {
  const { code, message, title = message } = error
  const data = error.data === undefined ? '' : `,"data":${printPayload(error.data)}`
  const place = id === undefined ? ',"id":null' : printIdOf(id, stream)
  return `${head}${place},"error":{"code":${code},"title":${printString(title)},"message":${printString(message)}${data}}}`
}

/**
 * Returns the text of an ack: the id is at the root, and for a stream request inside `ack` (sections 5.3 and 6.5).
 * `info` is an object; for a stream it has no member `id`.
 */
export function printAck(id: RequestId, info: Payload | undefined, stream: boolean): string {
  if (!stream) return `${head},"id":${id},"ack":${info === undefined ? '{}' : printPayload(info)}}`
  const members = info === undefined ? '}' : printPayload(info).trim().slice(1).trimStart()
  return `${head},"ack":{"id":${id}${members === '}' ? '' : ','}${members}}`
}

/** Returns the text of a piece of a stream, from its JSON text (section 6.1). */
export function printChunk(id: RequestId, data: string): string {
  return `${head},"stream":{"id":${id},"data":${data}}}`
}

/** The id of the stream that a text of {@link printChunk} is for. Undefined: it is another message. */
export function printedChunkId(text: string): RequestId | undefined {
  const begin = `${head},"stream":{"id":`
  if (!text.startsWith(begin)) return undefined
  const [id] = /^(?:"(?:[^"\\]|\\.)*"|[^,"}]+)(?=,"data":)/.exec(text.slice(begin.length)) ?? []
  return id as RequestId | undefined
}

/** Returns the message that requests the end of a stream, where the extension `abort` was negotiated (section 4.2). */
function printAbort(id: RequestId): string {
  return `${head},"options":{"stream":${id},"abort":true}}`
}

function printIdOf(id: RequestId, stream: boolean): string {
  return stream ? `,"stream":{"id":${id}}` : `,"id":${id}`
}

function printCall(method: string, params: Payload | undefined, options: Payload | undefined): string {
  const paramsMember = params === undefined ? '' : `,"params":${printPayload(params)}`
  const optionsMember = options === undefined ? '' : `,"options":${printPayload(options)}`
  return `,"method":${printString(method)}${paramsMember}${optionsMember}}`
}
