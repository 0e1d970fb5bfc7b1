import type { IncomingMessage } from 'node:http'
import { type FrameBounds, type MessageStart, peekMessage } from '@junctor/jsonrpc'

/** Bytes of a body that are looked at at most, where it is refused unread. */
const startBytes = 8 * 1024

/** How long is waited for them, in milliseconds: they come with the headers, as a rule. */
const startMs = 250

const nothing: MessageStart = { dialect: undefined, id: undefined }

/** What a message tells of itself in bytes from the start of its body. */
export function peekBytes(bytes: Buffer, bounds: FrameBounds): MessageStart {
  return peekMessage(bytes.subarray(0, startBytes).toString(), bounds)
}

/**
 * Reads as much of the body of a request as it takes to tell how to refuse it: until it says that it is of 2.0, or of
 * 3.0 and with what id; but no more than the start, and not for long. At once where there is nothing to read, or
 * somebody has begun to. What still comes is not kept.
 */
export function readStart(request: IncomingMessage, bounds: FrameBounds, next: (start: MessageStart) => void): void {
  if (!hasBody(request) || request.readableDidRead || request.readableEnded) return next(nothing)
  const chunks: Buffer[] = []
  let length = 0
  let judged = 0
  let said = nothing

  const judge = (): void => {
    judged = length
    said = peekBytes(Buffer.concat(chunks), bounds)
  }
  const finish = (): void => {
    clearTimeout(timer)
    request.off('data', take).off('end', finish).off('close', finish)
    if (length > judged) judge()
    // Without a listener it goes on to be read, and is forgotten.
    request.resume()
    next(said)
  }
  const take = (chunk: Buffer): void => {
    chunks.push(chunk)
    length += chunk.length
    // Only what has grown to its double is looked at again: many small pieces would make work for each other.
    if (length >= 2 * judged) judge()
    if (length >= startBytes || isTold(said) || !mayBeMessage(chunks)) finish()
  }
  const timer = setTimeout(finish, startMs)
  request.on('data', take).on('end', finish).on('close', finish)
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0)
}

function isTold({ dialect, id }: MessageStart): boolean {
  return dialect === '2.0' || (dialect === '3.0' && id !== undefined)
}

/** A message begins with a brace, a batch with a bracket, and JSON with nothing else than them and space. */
function mayBeMessage([first]: readonly Buffer[]): boolean {
  return first === undefined || /^\s*(?:[[{]|$)/.test(first.toString('latin1', 0, 16))
}
