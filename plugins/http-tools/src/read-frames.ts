import {
  createLineDecoder,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  parseExactly,
  parseFrame,
} from '@junctor/plugin-sdk/link'

/** One line of a streamed answer. */
export type AnswerFrame =
  | { readonly kind: 'message'; readonly message: Message }
  /** Why the line is not a message. The rest of the stream cannot be trusted. */
  | { readonly kind: 'unreadable'; readonly why: string }

/**
 * Reads the lines of a body as messages of JSON-RPC 3.0, no faster than they are asked for. A component knows no id of
 * the request, so a frame without one is completed.
 *
 * @param maxBytes of a line
 */
export async function* readFrames(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<AnswerFrame, void, undefined> {
  const waiting: AnswerFrame[] = []
  const lines = createLineDecoder({
    maxBytes,
    onLine: (line) => void waiting.push(readFrame(line)),
    onOverlong: () => void waiting.push({ kind: 'unreadable', why: `a line of more than ${maxBytes} bytes` }),
    onInvalid: () => void waiting.push({ kind: 'unreadable', why: 'a line that is not UTF-8' }),
  })
  for await (const piece of pieces) {
    lines.push(piece)
    yield* waiting.splice(0)
  }
  lines.end()
  yield* waiting.splice(0)
}

function readFrame(line: string): AnswerFrame {
  const frame = parseFrame(completed(line))
  if (frame.kind === 'message') return frame
  return { kind: 'unreadable', why: frame.kind === 'batch' ? 'a batch' : 'a line that is no message of JSON-RPC 3.0' }
}

/** The line, with an id if it is an object that has none: in `stream` or `ack` for pieces and acks, else at the root. */
function completed(line: string): string {
  const value = parse(line)
  if (!isJsonObject(value) || value['id'] !== undefined) return line
  const place = ['stream', 'ack'].find((name) => isJsonObject(value[name]))
  if (place === undefined) return JSON.stringify({ ...value, id: 1 })
  const inner = value[place] as JsonObject
  return inner['id'] === undefined ? JSON.stringify({ ...value, [place]: { id: 1, ...inner } }) : line
}

function parse(line: string): JsonValue | undefined {
  try {
    return parseExactly(line) as JsonValue
  } catch {
    return undefined
  }
}
