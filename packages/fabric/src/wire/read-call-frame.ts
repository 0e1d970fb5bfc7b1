import type { ReadData } from '@junctor/contracts'
import type { Outcome } from '@junctor/exchange'
import { type Answer, payloadFromText, type Request, type WireError } from '@junctor/jsonrpc'
import type { ClientRequest } from '@junctor/protocol'
import { type CallFrame, completeHead, type Inquiry, type CallOpening } from './call-frame.ts'
import {
  type AnswerHead,
  type AskedHead,
  checkFrame,
  checkInquiry,
  checkOpening,
  type ErrorHead,
  type OutcomeHead,
  type RequestHead,
} from './frame-heads.ts'
import type { KnownContexts } from './known-contexts.ts'
import { type PayloadReader, ReadLines } from './payload-lines.ts'

/** A frame, as this version reads it. */
export type ReadCallFrame =
  | ReadData<CallFrame>
  /** A frame of a kind that only a later version knows. */
  | { readonly kind: 'other'; readonly problem: string }

/**
 * Parses an opening; the value is undefined when the name of its context is unknown. Never throws. Written by hand, like
 * `readCallFrame`, because every call between nodes has one.
 *
 * @param known receives the context if it has a name
 */
export function readOpening(
  text: string,
  known: Pick<KnownContexts, 'keep' | 'get'>,
  payload: PayloadReader = payloadFromText,
): ReadData<CallOpening | undefined> {
  return attempted(text, payload, (lines) => {
    const head = checkOpening(lines.head)
    const {
      context: sentContext,
      name,
      trace,
      chain,
      request,
      attempt = 1,
      wantsProgress = false,
      deadline,
      service,
      exchange,
    } = head
    const context = sentContext ?? known.get(name ?? '')
    if (context === undefined) return undefined
    if (sentContext !== undefined && name !== undefined) known.keep(name, sentContext, text.length)
    return {
      service,
      exchange,
      // JSON has no Infinity.
      deadline: deadline ?? Infinity,
      // JSON omits members that are undefined; a context always has them.
      context: { ...context, session: context.session, trace, ...(chain !== undefined && { chain }) },
      request: readRequest(request, lines),
      attempt,
      wantsProgress,
    }
  })
}

/** Parses an inquiry. Never throws. */
export function readInquiry(text: string): ReadData<Inquiry> {
  return attempted(text, payloadFromText, ({ head }) => checkInquiry(head))
}

/**
 * Parses any other frame. Never throws.
 *
 * @param payload makes the payloads. Default: they are taken as they are, because nodes trust each other
 */
export function readCallFrame(text: string, payload: PayloadReader = payloadFromText): ReadCallFrame {
  if (payload === payloadFromText && text.startsWith(completeHead)) {
    const result = payloadFromText(text.slice(completeHead.length))
    return { kind: 'read', value: { kind: 'outcome', outcome: { kind: 'complete', result } } }
  }
  const read = attempted(text, payload, (lines) => frameIn(lines))
  if (read.kind === 'unreadable' || read.value !== undefined) return read as ReadData<CallFrame>
  return { kind: 'other', problem: 'expected a frame of a known kind' }
}

function attempted<Value>(text: string, payload: PayloadReader, read: (lines: ReadLines) => Value): ReadData<Value> {
  try {
    return { kind: 'read', value: read(new ReadLines(text, payload)) }
  } catch (error) {
    // The message of a SyntaxError quotes the text.
    const isSyntax = error instanceof SyntaxError || !(error instanceof Error)
    return { kind: 'unreadable', problem: isSyntax ? 'expected a head that is JSON' : error.message }
  }
}

/** @returns undefined for a kind that only a later version knows */
function frameIn(lines: ReadLines): CallFrame | undefined {
  const head = checkFrame(lines.head)
  switch (head?.kind) {
    case undefined:
      return undefined
    case 'notification':
      return { kind: 'notification', notification: readAsked(head, lines) }
    case 'ask': {
      const { id, to, timeoutMs, guessed, key } = head
      const options = {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(guessed === undefined ? {} : { guessed }),
        ...(key === undefined ? {} : { key }),
      }
      return { kind: 'ask', id, request: readAsked(head, lines), ...(to !== undefined && { to }), options }
    }
    case 'answer':
      return { kind: 'answer', id: head.id, answer: readAnswer(head, lines) }
    case 'outcome':
      return { kind: 'outcome', outcome: readOutcome(head.outcome, lines) }
    case 'ack':
    case 'progress':
    case 'chunk':
    case 'withdrawn':
    case 'task_started':
    case 'end':
    case 'accepted':
    case 'refused':
    case 'unknown_context':
    case 'taken':
      break
  }
  return head
}

function readRequest({ dialect, id, method, params, options }: RequestHead, lines: ReadLines): Request {
  const request = { kind: 'request' as const, dialect, id, method, params: lines.payloadMaybe(params) }
  return options === undefined ? request : { ...request, options: lines.payload(options) }
}

function readAsked({ method, params }: AskedHead, lines: ReadLines): ClientRequest {
  return { method, params: lines.payloadMaybe(params) }
}

function readAnswer(head: AnswerHead, lines: ReadLines): Answer {
  return 'result' in head ? { result: lines.payload(head.result) } : { error: readError(head.error, lines) }
}

function readOutcome(head: OutcomeHead, lines: ReadLines): Outcome {
  switch (head.kind) {
    case 'complete':
      return { kind: 'complete', result: lines.payload(head.result) }
    case 'input_required': {
      const { kind, requests, state } = head
      const read = Object.fromEntries(requests.map(([key, asked]) => [key, readAsked(asked, lines)]))
      return state === undefined ? { kind, requests: read } : { kind, requests: read, state }
    }
    case 'error': {
      const { kind, loss } = head
      const error = readError(head.error, lines)
      // A kind of loss that only a later version knows counts as an answer: nothing is sent again.
      return loss === 'unsent' || loss === 'cut' ? { kind, error, loss } : { kind, error }
    }
    default:
      throw new TypeError('expected an outcome of a kind that is known here')
  }
}

function readError({ data, ...error }: ErrorHead, lines: ReadLines): WireError {
  return data === undefined ? error : { ...error, data: lines.payload(data) }
}
