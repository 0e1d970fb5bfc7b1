import type { Message } from './message.ts'
import { printPayload, type Payload } from './payload.ts'
import type { RequestId } from './request-id.ts'
import type { WireError } from './wire-error.ts'

/** The JSON-RPC 3.0 text of a message, in one line and in the canonical form of sections 4 to 6. */
export function printV3(message: Message): string {
  switch (message.kind) {
    case 'request':
      return `${head},"id":${message.id},"method":${JSON.stringify(message.method)}${rest(message.params, message.options)}`
    case 'notification':
      return `${head},"method":${JSON.stringify(message.method)}${rest(message.params, message.options)}`
    case 'result':
      return printV3Result(message.id, message.result, message.stream === true)
    case 'error':
      return printV3Error(message.id, message.error, message.stream === true)
    case 'ack':
      return printAck(message.id, message.info, message.stream === true)
    case 'chunk':
      return printChunk(message.id, printPayload(message.data))
    case 'abort':
      return `${head},"options":{"stream":${message.id},"abort":true}}`
  }
}

const head = '{"jsonrpc":"3.0"'

/** A successful response; in stream form its id stands inside `stream` (section 6.2). */
export function printV3Result(id: RequestId, result: Payload, stream: boolean): string {
  const text = printPayload(result)
  return stream ? `${head},"stream":{"id":${id}},"result":${text}}` : `${head},"id":${id},"result":${text}}`
}

/** An error response. It always has a title (section 5.2): that of the error, or its message. */
export function printV3Error(id: RequestId | undefined, error: WireError, stream: boolean): string {
  const data = error.data === undefined ? '' : `,"data":${printPayload(error.data)}`
  const { code, message, title = message } = error
  const body = `{"code":${code},"title":${JSON.stringify(title)},"message":${JSON.stringify(message)}${data}}`
  return stream && id !== undefined
    ? `${head},"stream":{"id":${id}},"error":${body}}`
    : `${head},"id":${id ?? 'null'},"error":${body}}`
}

/** An ack: the id at the root, and inside `ack` for a stream request (sections 5.3 and 6.5). */
export function printAck(id: RequestId, info: Payload | undefined, stream: boolean): string {
  const text = info === undefined ? '{}' : printPayload(info)
  if (!stream) return `${head},"id":${id},"ack":${text}}`
  return text === '{}' ? `${head},"ack":{"id":${id}}}` : `${head},"ack":{"id":${id},${text.slice(1)}}`
}

/** A piece of a stream, from its JSON text (section 6.1). */
export function printChunk(id: RequestId, data: string): string {
  return `${head},"stream":{"id":${id},"data":${data}}}`
}

function rest(params: Payload | undefined, options: Payload | undefined): string {
  const said = params === undefined ? '' : `,"params":${printPayload(params)}`
  return options === undefined ? `${said}}` : `${said},"options":${printPayload(options)}}`
}
