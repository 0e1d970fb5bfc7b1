import { defaultFrameBounds, type FrameBounds } from './frame-bounds.ts'
import { hasUnsafeNumbers } from '../json/has-unsafe-numbers.ts'
import { isDeeperThan } from '../json/is-deeper-than.ts'
import { isJsonObject } from '../json/json.ts'
import { itemTexts } from '../json/json-scan.ts'
import type { Message } from '../message/message.ts'
import { parseMessage } from './parse-message.ts'
import { refuseFrame } from './refuse.ts'
import { refuseTooDeep } from './refuse-too-deep.ts'
import { repeatsNames } from '../json/repeats-names.ts'
import { singleLine } from '../json/single-line.ts'
import type { Unreadable } from '../message/unreadable.ts'

/** Several messages in one array (JSON-RPC 2.0 section 6). Each entry is judged as if it were alone. Never empty. */
export interface Batch {
  readonly kind: 'batch'
  readonly entries: readonly (Message | Unreadable)[]
}

/** The content of one frame. */
export type ParsedFrame = { readonly kind: 'message'; readonly message: Message } | Batch | Unreadable

/** The messages of a frame: those of a batch, or the single one. */
export function entriesOf(frame: ParsedFrame): readonly (Message | Unreadable)[] {
  if (frame.kind === 'batch') return frame.entries
  return [frame.kind === 'message' ? frame.message : frame]
}

/**
 * The size in characters from which the text of payloads is kept: printing again would cost more than finding their
 * text.
 */
const largeText = 16 * 1024

/**
 * Parses one frame: the text of a line, a body, a WebSocket message. Never throws.
 *
 * Payloads of a small frame hold values. Payloads of a large frame, or of one with numbers that a double would change,
 * also keep their text, exactly except for newlines, and so does the result of a usual response. Numeric ids always keep
 * their spelling.
 *
 * A message with two members of one name is refused, and so is a call with such an object anywhere in it, because the
 * gateway and the backend must read the same call. In a small answer, the last of such members is used and passed on.
 */
export function parseFrame(text: string, bounds: FrameBounds = defaultFrameBounds): ParsedFrame {
  if (isDeeperThan(text, bounds.depth)) return refuseTooDeep(text, bounds)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return refuseFrame('parse_error', `Expected JSON, got something else: ${withoutExcerpt(error as SyntaxError)}`)
  }
  const large = text.length >= largeText
  const repeats = !(large && isAnswer(value)) && repeatsNames(text, value)
  const kept = large || repeats || hasUnsafeNumbers(text) ? singleLine(text) : undefined
  if (Array.isArray(value)) return parseBatch(value, kept, bounds, repeats)
  const message = parseMessage(value, kept, bounds, repeats, text)
  return message.kind === 'unreadable' ? message : { kind: 'message', message }
}

/**
 * Whether a value is an answer. In large answers, which backends often send, only the members of the message itself are
 * checked.
 */
function isAnswer(value: unknown): boolean {
  return isJsonObject(value) && value['method'] === undefined
}

function parseBatch(
  values: readonly unknown[],
  text: string | undefined,
  bounds: FrameBounds,
  repeats: boolean,
): Batch | Unreadable {
  if (values.length === 0) return refuseFrame('invalid_request', 'Expected a batch to have entries, got none')
  if (values.length > bounds.batch) {
    return refuseFrame('too_large', `Expected a batch of at most ${bounds.batch} entries, got ${values.length}`)
  }
  const texts = text === undefined ? undefined : itemTexts(text)
  return { kind: 'batch', entries: values.map((value, index) => parseMessage(value, texts?.[index], bounds, repeats)) }
}

/**
 * Returns the engine's reason without the excerpt of the input that it quotes, because the input may be secret, and
 * errors are logged.
 */
function withoutExcerpt({ message }: SyntaxError): string {
  return message.replace(/, (?:\.\.\.)?"[^]*$/, '')
}
