import type { Dialect, JsonValue } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import { type LogLevel, isLogLevel } from '@junctor/protocol'
import type { Mailbox } from './mailbox.ts'
import { printMailbox, readMailbox } from './mailbox.ts'
import type { KeptFrame, StreamState } from './streams/stream-state.ts'
import { printFrames, printStreamState, readFrames, readStreamState } from './streams/stream-state.ts'
import type { HomeSession } from './home-session.ts'
import type { Subscription } from '../upstream/subscriptions/subscriptions.ts'

/** What the next home of a session needs to know of it, besides the context of its requests. */
export interface HandedSession {
  /** How often it was handed on, or tried to be, this time included. */
  readonly moves: number
  /** Epoch milliseconds. */
  readonly openedAt: number
  readonly dialect: Dialect
  readonly logLevel: LogLevel | undefined
  readonly subscriptions: readonly Subscription[]
  readonly mailbox: Mailbox
  /** Its own stream; `undefined`: nothing was ever said on it. */
  readonly stream: StreamState | undefined
}

/** One message of those that bring a session: some frames, and with the last of them all else. */
export interface HandedPiece {
  readonly frames: readonly KeptFrame[]
  /** It is the first. */
  readonly isFirst: boolean
  /** How often the session was handed on, or tried to be, this time included. */
  readonly moves: number
  /** What the session is, but for its frames. Absent: more is to come. */
  readonly rest: JsonValue | undefined
}

/** Frames of one message, at most, in characters; one may be larger by itself. */
const charactersAtOnce = 256 * 1024

/** What brings a session to another node, in as many messages as that takes. */
export function* printHanded(
  { openedAt, dialect, logLevel }: Pick<HomeSession, 'openedAt' | 'dialect' | 'logLevel'>,
  { moves, subscriptions, mailbox, stream }: Pick<HandedSession, 'moves' | 'subscriptions' | 'mailbox' | 'stream'>,
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

/** Reads one message. */
export function readPiece(value: JsonValue | undefined): HandedPiece {
  const { first, moves, frames, rest } = isJsonObject(value) ? value : {}
  return {
    frames: readFrames(frames),
    isFirst: first === true,
    moves: typeof moves === 'number' ? moves : 1,
    rest,
  }
}

/** Reads what another node, perhaps of another version, has printed; what it does not say is as in a new session. */
export function readHanded(rest: JsonValue, moves: number, frames: readonly KeptFrame[], now: number): HandedSession {
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
