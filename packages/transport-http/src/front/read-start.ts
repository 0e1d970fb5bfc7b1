import type { IncomingMessage } from 'node:http'
import { isAnswered } from '@junctor/connection'
import { type FrameBounds, type Message, type MessageStart, peekMessage, type Unreadable } from '@junctor/jsonrpc'
import { entriesOf } from './entries-of.ts'
import { parseBody } from './parse-body.ts'

/** Bytes of a body that are looked at at most, where it is refused unread. */
const startBytes = 8 * 1024

/** How long is waited for them, in milliseconds: they come with the headers, as a rule. */
const startMs = 250

/** What the start of a body tells. */
export interface BodyStart extends MessageStart {
  /** What is in it, when all of it has come and nobody waits for an answer to any of it. */
  readonly unanswered: readonly (Message | Unreadable)[] | undefined
}

const nothing: BodyStart = { dialect: undefined, id: undefined, unanswered: undefined }

/** What a message tells of itself in bytes from the start of its body. */
export function peekBytes(bytes: Buffer, bounds: FrameBounds): MessageStart {
  return peekMessage(bytes.subarray(0, startBytes).toString(), bounds)
}

/**
 * Reads as much of the body of a request as it takes to tell how to refuse it: until it says what version it is of, and that
 * somebody waits for an answer, or nobody does; but no more than the start, and not for long. At once where there is nothing to read, or
 * somebody has begun to. What still comes is not kept.
 */
export function readStart(request: IncomingMessage, bounds: FrameBounds, next: (start: BodyStart) => void): void {
  if (!hasBody(request) || request.readableDidRead || request.readableEnded) return next(nothing)
  const chunks: Buffer[] = []
  let length = 0
  let judged = 0
  let said: MessageStart = nothing

  const judge = (): void => {
    judged = length
    said = peekBytes(Buffer.concat(chunks), bounds)
  }
  const finish = (unanswered?: BodyStart['unanswered']): void => {
    clearTimeout(timer)
    request.off('data', take).off('end', end).off('close', finish)
    if (length > judged) judge()
    // Without a listener it goes on to be read, and is forgotten.
    request.resume()
    next({ ...said, unanswered })
  }
  const end = (): void => {
    const entries = entriesOf(parseBody(Buffer.concat(chunks), bounds))
    finish(entries.some((entry) => isAnswered(entry)) ? undefined : entries)
  }
  const take = (chunk: Buffer): void => {
    chunks.push(chunk)
    length += chunk.length
    // Only what has grown to its double is looked at again: many small pieces would make work for each other.
    if (length >= 2 * judged) judge()
    if (length >= startBytes || isTold(said) || !mayBeMessage(chunks)) finish()
  }
  const timer = setTimeout(finish, startMs)
  request.on('data', take).on('end', end).on('close', finish)
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0)
}

function isTold({ dialect, id }: MessageStart): boolean {
  return dialect !== undefined && id !== undefined
}

/** A message begins with a brace, a batch with a bracket, and JSON with nothing else than them and space. */
function mayBeMessage([first]: readonly Buffer[]): boolean {
  return first === undefined || /^\s*(?:[[{]|$)/.test(first.toString('latin1', 0, 16))
}
