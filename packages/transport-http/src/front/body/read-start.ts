import type { IncomingMessage } from 'node:http'
import { isAnswered } from '@junctor/connection'
import {
  entriesOf,
  type FrameBounds,
  type Message,
  type MessageStart,
  peekMessage,
  type Unreadable,
} from '@junctor/jsonrpc'
import { parseBody } from './parse-body.ts'

/** The most bytes of a body that are inspected when it is refused unread. */
const startBytes = 8 * 1024

/** How long to wait for them, in milliseconds: they usually arrive with the headers. */
const startMs = 250

/** What the start of a body declares. */
export interface BodyStart extends MessageStart {
  /** The body's messages, when the whole body has arrived and none of them expects an answer. */
  readonly unanswered: readonly (Message | Unreadable)[] | undefined
}

const nothing: BodyStart = { dialect: undefined, id: undefined, unanswered: undefined }

/** What a message declares in the bytes at the start of its body. */
export function peekBytes(bytes: Uint8Array, bounds: FrameBounds): MessageStart {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, startBytes))
  return peekMessage(start.toString(), bounds)
}

/**
 * Reads as much of a request's body as is necessary to refuse it correctly: until its version is known, and whether its
 * sender expects an answer; but no more than the start, and not for long. Calls `next` synchronously when there is no
 * body or it is already being read. The rest of the body is discarded.
 */
export function readStart(request: IncomingMessage, bounds: FrameBounds, next: (start: BodyStart) => void): void {
  if (!hasBody(request) || request.readableDidRead || request.readableEnded) return next(nothing)
  const chunks: Buffer[] = []
  let length = 0
  let judged = 0
  let declared: MessageStart = nothing

  const judge = (): void => {
    judged = length
    declared = peekBytes(Buffer.concat(chunks), bounds)
  }
  const finish = (unanswered?: BodyStart['unanswered']): void => {
    clearTimeout(timer)
    request.off('data', take).off('end', end).off('close', finish)
    if (length > judged) judge()
    // Without a listener the stream continues to flow, and its data are discarded.
    request.resume()
    next({ ...declared, unanswered })
  }
  const end = (): void => {
    const entries = entriesOf(parseBody(Buffer.concat(chunks), bounds))
    finish(entries.some((entry) => isAnswered(entry)) ? undefined : entries)
  }
  const take = (chunk: Buffer): void => {
    chunks.push(chunk)
    length += chunk.length
    // Inspects the bytes again only when they have doubled: otherwise many small pieces would cause quadratic work.
    if (length >= 2 * judged) judge()
    if (length >= startBytes || isDeclared(declared) || !mayBeMessage(chunks)) finish()
  }
  const timer = setTimeout(finish, startMs)
  request.on('data', take).on('end', end).on('close', finish)
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0)
}

function isDeclared({ dialect, id }: MessageStart): boolean {
  return dialect !== undefined && id !== undefined
}

/** A message begins with a brace, a batch with a bracket; only white space may come before. */
function mayBeMessage([first]: readonly Buffer[]): boolean {
  return first === undefined || /^\s*(?:[[{]|$)/.test(first.toString('latin1', 0, 16))
}
