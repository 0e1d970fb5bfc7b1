import type { Dialect, JsonValue } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import { type LogLevel, isLogLevel } from '@junctor/protocol'
import type { Mailbox } from './mailbox.ts'
import { printMailbox, readMailbox } from './mailbox.ts'
import type { KeptFrame, StreamState } from './streams/stream-state.ts'
import { printFrames, printStreamState, readFrames, readStreamState } from './streams/stream-state.ts'
import type { HomeSession } from './home-session.ts'
import type { Subscription } from '../upstream/subscriptions/subscriptions.ts'

/** What the next home of a session needs to know about it, besides the context of its requests. */
export interface HandoverState {
  /** How often a hand-over of the session was tried, including this time. */
  readonly moves: number
  /** Epoch milliseconds. */
  readonly openedAt: number
  readonly dialect: Dialect
  readonly logLevel: LogLevel | undefined
  readonly subscriptions: readonly Subscription[]
  readonly mailbox: Mailbox
  /** The session's own stream; `undefined`: the session has not used it yet. */
  readonly stream: StreamState | undefined
}

/** One message of a hand-over. It carries some frames; the last message also carries the rest of the session. */
export interface HandoverMessage {
  readonly frames: readonly KeptFrame[]
  /** Whether this is the first message of the hand-over. */
  readonly isFirst: boolean
  /** How often a hand-over of the session was tried, including this time. */
  readonly moves: number
  /** The session without its frames. Absent: more messages follow. */
  readonly rest: JsonValue | undefined
}

/** The most characters of frames in one message; a single frame may be larger. */
const charactersAtOnce = 256 * 1024

/** Writes the messages that carry a session to another node. */
export function* writeHandover(
  { openedAt, dialect, logLevel }: Pick<HomeSession, 'openedAt' | 'dialect' | 'logLevel'>,
  { moves, subscriptions, mailbox, stream }: Pick<HandoverState, 'moves' | 'subscriptions' | 'mailbox' | 'stream'>,
): Generator<JsonValue> {
  const pieces = piecesOf(stream?.frames ?? [])
  const rest = {
    openedAt,
    dialect,
    logLevel: logLevel ?? null,
    subscriptions: subscriptions.map(([backend, uri]) => [backend, uri]),
    mailbox: printMailbox(mailbox),
    stream: stream === undefined ? null : printStreamState(stream),
  }
  for (const [index, frames] of pieces.entries()) {
    const isLast = index === pieces.length - 1
    yield { first: index === 0, moves, frames: printFrames(frames), ...(isLast && { rest }) }
  }
}

/** Reads one message of a hand-over. */
export function readHandoverMessage(value: JsonValue | undefined): HandoverMessage {
  const { first, moves, frames, rest } = isJsonObject(value) ? value : {}
  return {
    frames: readFrames(frames),
    isFirst: first === true,
    moves: typeof moves === 'number' ? moves : 1,
    rest,
  }
}

/**
 * Reads a session that another node wrote, perhaps one of another version. A missing member gets the value of a new
 * session.
 */
export function readHandover(rest: JsonValue, moves: number, frames: readonly KeptFrame[], now: number): HandoverState {
  const { openedAt, dialect, logLevel, subscriptions, mailbox, stream } = isJsonObject(rest) ? rest : {}
  return {
    moves,
    openedAt: typeof openedAt === 'number' ? openedAt : now,
    dialect: dialect === '3.0' ? '3.0' : '2.0',
    logLevel: isLogLevel(logLevel) ? logLevel : undefined,
    subscriptions: Array.isArray(subscriptions) ? subscriptions.flatMap(readSubscription) : [],
    mailbox: readMailbox(mailbox),
    stream: readStreamState(stream, frames),
  }
}

function piecesOf(frames: readonly KeptFrame[]): readonly (readonly KeptFrame[])[] {
  const pieces: KeptFrame[][] = [[]]
  let characters = 0
  for (const frame of frames) {
    if (characters > 0 && characters + frame.text.length > charactersAtOnce) {
      pieces.push([])
      characters = 0
    }
    pieces.at(-1)?.push(frame)
    characters += frame.text.length
  }
  return pieces
}

function readSubscription(value: JsonValue): readonly Subscription[] {
  const [backend, uri] = Array.isArray(value) ? value : []
  return typeof backend === 'string' && typeof uri === 'string' ? [[backend, uri]] : []
}
