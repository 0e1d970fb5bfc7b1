import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { mediaTypes } from '@junctor/protocol'
import type { Serving } from './serving.ts'
import { situationOfStatus } from './situation-of-status.ts'

/** Answers what is no HTTP request, or comes too slowly to become one, and closes the connection. */
export function answerBrokenRequest(serving: Serving, error: NodeJS.ErrnoException, socket: Socket): void {
  // With an answer under way, more text would be taken for a part of it.
  if (!socket.writable || error.code === 'ECONNRESET' || serving.open.has(socket)) {
    socket.destroy()
    return
  }
  const status = statusOf(error.code)
  const { text } = serving.front.refuse(situationOfStatus(status), undefined, messages[status])
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: ${mediaTypes.json}`
  serving.log.debug('A broken request was refused', { status, code: error.code })
  socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  // The peer is not waited for: it may be one that never reads.
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
