import type { Socket } from 'node:net'
import { mediaTypes } from '@junctor/protocol'
import type { Serving } from './serving/serving.ts'
import { situationOfStatus } from './headers/situation-of-status.ts'

// An import of this module would also load Node's client for `fetch`, a tenth of a start.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** Answers bytes that are not an HTTP request, or a request that arrives too slowly, and closes the connection. */
export function answerBrokenRequest(serving: Serving, error: NodeJS.ErrnoException, socket: Socket): void {
  serving.answers.flush()
  // While an answer is being sent, more text would become part of it.
  if (!socket.writable || error.code === 'ECONNRESET' || serving.open.has(socket)) {
    socket.destroy()
    return
  }
  const status = statusOf(error.code)
  const { text } = serving.front.refuse(situationOfStatus(status), undefined, messages[status])
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: ${mediaTypes.json}`
  serving.log.debug('a broken request was refused', { status, code: error.code })
  socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  // Does not wait for the peer, which may never read.
  socket.destroySoon()
}

const messages: Readonly<Record<number, string>> = {
  400: 'Expected an HTTP request, got something else',
  408: 'The request did not come in time',
  413: 'The chunk extensions of the request are too large',
  431: 'The headers of the request are too large',
}

function statusOf(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}
