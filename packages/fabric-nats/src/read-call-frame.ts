import type { Answer, ClientRequest, Outcome } from '@junctor/exchange'
import { payloadFromText, type Request, type WireError } from '@junctor/jsonrpc'
import { type CallFrame, completeHead, type Inquiry, type Opening } from './call-frame.ts'
import type { KnownContexts, SessionContext } from './known-contexts.ts'
import { ReadLines } from './payload-lines.ts'

/**
 * Parses an opening; undefined when the name of its context is unknown. Texts come from nodes that know the cluster's
 * key, so their shape is not checked.
 *
 * @param known receives the context if it has a name
 * @throws when `printOpening` did not make the text
 */
export function readOpening(text: string, known: KnownContexts): Opening | undefined {
  const lines = new ReadLines(text)
  const { context: told, name, trace, request, attempt = 1, wantsProgress = false, ...rest } = lines.head as OpeningHead
  const context = told ?? known.get(name ?? '')
  if (context === undefined) return undefined
  if (told !== undefined && name !== undefined) known.keep(name, told, text.length)
  return {
    ...rest,
    // JSON omits members that are undefined; a context always has them.
    context: { ...context, session: context.session, trace },
    request: readRequest(request, lines),
    attempt,
    wantsProgress,
  }
}

/**
 * Parses an inquiry.
 *
 * @throws when `printInquiry` did not make the text
 */
export function readInquiry(text: string): Inquiry {
  return JSON.parse(text) as Inquiry
}

/**
 * Parses any other frame.
 *
 * @throws when `printCallFrame` did not make the text
 */
export function readCallFrame(text: string): CallFrame {
  if (text.startsWith(completeHead)) {
    const result = payloadFromText(text.slice(completeHead.length))
    return { kind: 'outcome', outcome: { kind: 'complete', result } }
  }
  const lines = new ReadLines(text)
  const head = lines.head as Head
  switch (head.kind) {
    case 'notification':
      return { kind: 'notification', notification: readAsked(head, lines) }
    case 'ask': {
      const { id, timeoutMs, guessed } = head
      const options = {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(guessed === undefined ? {} : { guessed }),
      }
      return { kind: 'ask', id, request: readAsked(head, lines), options }
    }
    case 'answer':
      return { kind: 'answer', id: head.id, answer: readAnswer(head, lines) }
    case 'outcome':
      return { kind: 'outcome', outcome: readOutcome(head.outcome, lines) }
    case 'ack':
    case 'progress':
    case 'chunk':
    case 'withdrawn':
    case 'end':
    case 'accepted':
    case 'refused':
    case 'unknown_context':
    case 'taken':
      break
  }
  return head
}

// The types of the heads: payloads are line numbers.

interface RequestHead extends Pick<Request, 'dialect' | 'id' | 'method'> {
  readonly params?: number
  readonly options?: number
}

interface OpeningHead extends Pick<Opening, 'service' | 'exchange' | 'deadline'> {
  readonly request: RequestHead
  readonly context?: SessionContext
  readonly name?: string
  readonly trace?: string
  readonly attempt?: number
  readonly wantsProgress?: boolean
}

interface AskedHead {
  readonly method: string
  readonly params?: number
}

interface ErrorHead extends Omit<WireError, 'data'> {
  readonly data?: number
}

type AnswerHead = { readonly result: number } | { readonly error: ErrorHead }

type OutcomeHead =
  | { readonly kind: 'complete'; readonly result: number }
  | { readonly kind: 'input_required'; readonly requests: readonly [string, AskedHead][]; readonly state?: string }
  | Extract<Outcome, { kind: 'task' }>
  | { readonly kind: 'error'; readonly error: ErrorHead }

type Head =
  | ({ readonly kind: 'notification' } & AskedHead)
  | ({ readonly kind: 'ask'; readonly id: string; readonly timeoutMs?: number; readonly guessed?: boolean } & AskedHead)
  | ({ readonly kind: 'answer'; readonly id: string } & AnswerHead)
  | { readonly kind: 'outcome'; readonly outcome: OutcomeHead }
  | Exclude<CallFrame, { kind: 'notification' | 'ask' | 'answer' | 'outcome' }>

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
    case 'error':
      return { kind: 'error', error: readError(head.error, lines) }
    case 'task':
      return head
    default:
      throw new TypeError('expected an outcome of a kind that is known here')
  }
}

function readError({ data, ...error }: ErrorHead, lines: ReadLines): WireError {
  return data === undefined ? error : { ...error, data: lines.payload(data) }
}
