import { items, member, type Message, parseFrame, type Payload, printPayload } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import { Renderer, type ExchangeEvent, type View } from '../src/index.ts'

/** What a client has understood of one exchange, from its frames only. */
export interface Seen {
  readonly acks: number
  readonly progress: readonly number[]
  /** The chunks in order, from their own frames or from the result. */
  readonly chunks: readonly unknown[]
  /** Notifications, asks and withdrawals, which are equal in both dialects, in order. */
  readonly others: readonly string[]
  /** The result without its chunks, the code of the error, or an empty text. */
  readonly end: string
  /** Every rule that the frames have broken. */
  readonly problems: readonly string[]
}

/** Renders the events of an exchange for one view, and parses the frames like a client. */
export function seenByClient(events: readonly ExchangeEvent[], view: View): Seen {
  const renderer = new Renderer(view)
  const problems: string[] = []
  const messages: Message[] = []
  let isOver = false
  for (const event of events) {
    const frame = renderer.render(event)
    if (frame === undefined) continue
    if (isOver) problems.push(`a frame after the end: ${frame.text}`)
    isOver = frame.last
    if (frame.text === '') continue
    const parsed = parseFrame(frame.text)
    if (parsed.kind === 'message') messages.push(parsed.message)
    else problems.push(`no message: ${frame.text}`)
  }
  if (!isOver) problems.push('no last frame')
  problems.push(...messages.flatMap((message, n) => judge(message, n === messages.length - 1, view)))
  return { ...read(messages), problems }
}

/** Returns the faults in the form of a message. */
function judge(message: Message, isLast: boolean, view: View): readonly string[] {
  const problems: string[] = []
  if (message.dialect !== view.dialect) problems.push(`${message.kind} in ${message.dialect}`)
  const isEnd = message.kind === 'result' || message.kind === 'error'
  if (isEnd && !isLast) problems.push('an answer before the end')
  const isTagged = isEnd || message.kind === 'ack' || message.kind === 'chunk'
  if (isTagged && message.id !== view.id) problems.push(`${message.kind} with the id ${String(message.id)}`)
  const expectsStream = view.dialect === '3.0' && view.stream
  if ((isEnd || message.kind === 'ack') && (message.stream === true) !== expectsStream) {
    problems.push(`${message.kind} in the wrong form`)
  }
  if (message.kind === 'chunk' && !expectsStream) problems.push('a piece that was not asked for')
  return problems
}

function read(messages: readonly Message[]): Omit<Seen, 'problems'> {
  const chunks: unknown[] = []
  const progress: number[] = []
  const others: string[] = []
  let acks = 0
  let end = ''
  for (const message of messages) {
    if (message.kind === 'chunk') chunks.push(message.data.value())
    else if (message.kind === 'ack') {
      const info = message.info?.value() as { readonly progress?: number } | undefined
      if (info?.progress === undefined) acks += 1
      else progress.push(info.progress)
    } else if (message.kind === 'error') end = String(message.error.code)
    else if (message.kind === 'result') {
      chunks.push(...gathered(message.result))
      end = withoutChunks(message.result)
    } else if (message.kind === 'notification' && message.method === methods.notificationsProgress) {
      const params = message.params?.value() as { readonly progress: number } | undefined
      progress.push(params?.progress ?? NaN)
    } else if (message.kind === 'notification' || message.kind === 'request') {
      const id = message.kind === 'request' ? message.id : ''
      others.push(`${id} ${message.method} ${message.params === undefined ? '' : printPayload(message.params)}`)
    }
  }
  return { acks, progress, chunks, others, end }
}

/**
 * Returns the gathered chunks: the samples stream numbers from methods that are not tools, so these are in the member
 * `chunks`.
 */
function gathered(result: Payload): readonly unknown[] {
  const chunks = member(result, 'chunks')
  return chunks === undefined ? [] : items(chunks).map((chunk) => chunk.value())
}

function withoutChunks(result: Payload): string {
  const { chunks: _, ...rest } = result.value() as { readonly chunks?: unknown }
  return JSON.stringify(rest)
}
