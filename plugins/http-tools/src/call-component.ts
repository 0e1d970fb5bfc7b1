import type { RequestContext, ToolResponse } from '@junctor/plugin-sdk'
import { HttpRequestError, type HttpResponse, retryAfterMs } from '@junctor/plugin-sdk/http'
import {
  CallFailed,
  type CallFailure,
  exactly,
  isJsonObject,
  type JsonValue,
  type Loss,
  type Message,
  type Situation,
} from '@junctor/plugin-sdk/link'
import { longestTimerMs } from './longest-timer.ts'
import { failureOf, readAnswer, readResult } from './read-answer.ts'
import { readFrames } from './read-frames.ts'
import { readText, type Requests } from './requests.ts'

/** The most bytes of an answer in one piece, and of a line of a streamed one. */
const mostBytes = 8 * 1024 * 1024

/** One attempt of a call. */
export interface Attempt {
  readonly requests: Requests
  readonly url: string
  /** The name of the tool, for messages. */
  readonly tool: string
  readonly input: object
  readonly context: RequestContext
}

/** An attempt that failed, and what that says about the component. */
export class AttemptFailed extends CallFailed {
  /** A proxy has answered for the component that it cannot be reached. */
  readonly isUnavailable: boolean

  constructor(
    failure: CallFailure,
    options: { isUnavailable?: boolean; loss?: Loss | undefined; cause?: unknown } = {},
  ) {
    super(failure, options)
    this.isUnavailable = options.isUnavailable === true
  }
}

/**
 * Sends a call to a component once, and passes on the pieces of a streamed answer.
 *
 * @throws AttemptFailed
 */
export async function callComponent(attempt: Attempt): Promise<ToolResponse> {
  const { requests, url, tool, input, context } = attempt
  const { exchange } = context
  const { trace } = exchange.context
  try {
    const response = await requests.send(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/x-ndjson, application/json',
        ...(trace !== undefined && { traceparent: trace }),
      },
      body: JSON.stringify(input),
      signal: context.signal,
      // The deadline of the exchange aborts the signal.
      timeoutMs: longestTimerMs,
      // A stream may be of any length. `readStream` limits its lines, and `readWhole` limits any other answer.
      maxBytes: Number.MAX_SAFE_INTEGER,
    })
    return isStream(response) ? await readStream(attempt, response) : await readWhole(response, tool)
  } catch (error) {
    if (error instanceof HttpRequestError) throw requestFailed(error, tool)
    throw error
  }
}

function isStream({ status, headers }: HttpResponse): boolean {
  return status >= 200 && status < 300 && /^\s*application\/x-ndjson\b/i.test(headers['content-type'] ?? '')
}

async function readWhole(response: HttpResponse, tool: string): Promise<ToolResponse> {
  const text = await readText(response, mostBytes)
  if (text === undefined) throw failed(tool, `${tool} gave an answer of more than ${mostBytes} bytes`)
  const { status, headers } = response
  const answer = readAnswer(status, text, tool, retryAfterMs(headers['retry-after'], Date.now()))
  if (answer.kind === 'result') return answer.result
  throw new AttemptFailed(answer.failure, { isUnavailable: status >= 502 && status <= 504 })
}

async function readStream({ tool, context }: Attempt, response: HttpResponse): Promise<ToolResponse> {
  let hasPieces = false
  for await (const frame of readFrames(response.pieces(), mostBytes)) {
    if (frame.kind === 'unreadable') throw failed(tool, `${tool} sent ${frame.why}`)
    const { message } = frame
    if (message.kind === 'result') return resultOf(exactly(message.result), tool, hasPieces)
    if (message.kind === 'error') throw errorReceived(message, tool)
    hasPieces = true
    await passOn(message, context)
  }
  const situation = { situation: 'backend_exited', details: { message: `${tool} ended its answer too soon` } } as const
  throw new AttemptFailed(situation, { loss: 'cut' })
}

/** Passes a piece, an ack or progress on to the client. Resolves when the client can take more. */
async function passOn(message: Message, context: RequestContext): Promise<void> {
  const { exchange } = context
  if (message.kind === 'chunk') return exchange.chunk(exactly(message.data))
  if (message.kind !== 'ack') return
  const info = message.info?.value()
  const { progress, total, message: text } = isJsonObject(info) ? info : {}
  if (typeof progress === 'number')
    context.progress(progress, numberIn(total), typeof text === 'string' ? text : undefined)
  else exchange.ack(isJsonObject(info) ? { info } : {})
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Pieces that were sent are content too, so the result after them may have none. */
function resultOf(value: unknown, tool: string, hasPieces: boolean): ToolResponse {
  const given = hasPieces && (value === null || isJsonObject(value)) ? { content: [], ...value } : value
  const answer = readResult(given, tool)
  if (answer.kind === 'result') return answer.result
  throw new AttemptFailed(answer.failure)
}

function errorReceived({ error }: Extract<Message, { kind: 'error' }>, tool: string): AttemptFailed {
  const { data, ...about } = error
  const failure = failureOf(data === undefined ? { ...about } : { ...about, data: exactly(data) as JsonValue })
  return failure === undefined ? failed(tool, error.message) : new AttemptFailed(failure)
}

function failed(tool: string, message: string): AttemptFailed {
  const failure = { situation: 'tool_failed', details: { name: tool, message } } as const
  return new AttemptFailed(failure)
}

/** The error of a call, and the end of its message, for each way in which a request fails. */
const requestErrors: Readonly<Record<HttpRequestError['kind'], readonly [Situation, string]>> = {
  bad_request: ['backend_unavailable', 'cannot be reached'],
  // Not `backend_unavailable`: the address may come from a redirect, so the component may have answered.
  address_refused: ['tool_failed', 'leads to an address that is not allowed'],
  unreachable: ['backend_unavailable', 'cannot be reached'],
  interrupted: ['backend_exited', 'ended before it had answered'],
  timed_out: ['deadline_exceeded', 'gave no answer in time'],
  aborted: ['backend_exited', 'was not waited for'],
  too_large: ['tool_failed', 'gave too large an answer'],
  undecodable: ['tool_failed', 'gave an answer that cannot be decoded'],
  redirect_refused: ['tool_failed', 'leads to a place that is not allowed'],
}

/** The address and the reason are in the log. The caller sees only the name of the tool. */
function requestFailed(error: HttpRequestError, tool: string): AttemptFailed {
  const { kind, loss } = error
  const [situation, text] = requestErrors[kind]
  const failure = { situation, details: { message: `${tool} ${text}` } } as const
  return new AttemptFailed(failure, { loss, cause: error })
}
