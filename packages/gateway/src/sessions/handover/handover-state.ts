import { type ReadData, readData } from '@junctor/contracts'
import type { Dialect, JsonObject, JsonValue } from '@junctor/jsonrpc'
import { type LogLevel, isLogLevel } from '@junctor/protocol'
import { z } from 'zod'
import { jsonObjectSchema } from '../../shared/schemas.ts'
import { createMailbox, type Mailbox, mailboxSchema, printMailbox } from '../frames/mailbox.ts'
import {
  framesSchema,
  type KeptFrame,
  printFrames,
  printStreamState,
  streamSchema,
  type StreamState,
} from '../streams/stream-state.ts'
import type { HomeSession } from '../session/home-session.ts'
import type { Subscription } from '../../upstream/subscriptions/subscriptions.ts'

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
  readonly rest: JsonObject | undefined
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

const message: z.ZodType<HandoverMessage> = z
  .object({
    first: z.boolean().default(false),
    moves: z.number().default(1),
    frames: framesSchema.default([]),
    rest: jsonObjectSchema.optional(),
  })
  .transform(({ first, ...others }) => ({ rest: undefined, ...others, isFirst: first }))

/** Reads one message of a hand-over from another node, perhaps one of another version. */
export function readHandoverMessage(value: unknown): ReadData<HandoverMessage> {
  return readData(message, value)
}

const state = z.object({
  openedAt: z.number().optional(),
  dialect: z.enum(['2.0', '3.0']).default('2.0'),
  logLevel: z.custom<LogLevel>(isLogLevel, 'expected a log level of MCP').nullish(),
  subscriptions: z
    .array(
      z
        .tuple([z.string(), z.string()])
        .rest(z.unknown())
        .transform(([backend, uri]): Subscription => [backend, uri]),
    )
    .default([]),
  mailbox: mailboxSchema.optional(),
  stream: streamSchema.nullish(),
})

/**
 * Reads a session that another node wrote, perhaps one of another version. A missing member gets the value of a new
 * session.
 *
 * @param rest of the last message
 * @param frames of all messages
 * @param now epoch milliseconds
 */
export function readHandover(
  rest: JsonObject,
  moves: number,
  frames: readonly KeptFrame[],
  now: number,
): ReadData<HandoverState> {
  const read = readData(state, rest)
  if (read.kind === 'unreadable') return read
  const { openedAt = now, dialect, logLevel, subscriptions, mailbox = createMailbox(), stream } = read.value
  const value = {
    moves,
    openedAt,
    dialect,
    logLevel: logLevel ?? undefined,
    subscriptions,
    mailbox,
    stream: stream ? { ...stream, frames } : undefined,
  }
  return { kind: 'read', value }
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
