import type { Outcome } from '@junctor/exchange'
import { type Answer, type JsonObject, printPayload, type WireError } from '@junctor/jsonrpc'
import { type CallFrame, completeHead, type Inquiry, type CallOpening } from './call-frame.ts'
import type { SentContext } from './context-names.ts'
import { PayloadLines } from './payload-lines.ts'

/** An opening as text. Members with their usual values are left out. */
export function printOpening(opening: CallOpening, sent: SentContext): string {
  const lines = new PayloadLines()
  const { service, exchange, request, context, deadline, attempt, wantsProgress } = opening
  const { dialect, id, method } = request
  const head = {
    service,
    exchange,
    context: sent.kind === 'full' ? { ...context, trace: undefined, chain: undefined } : undefined,
    name: sent.name,
    trace: context.trace,
    chain: context.chain,
    deadline,
    attempt: attempt === 1 ? undefined : attempt,
    wantsProgress: wantsProgress || undefined,
    request: { dialect, id, method, params: lines.addMaybe(request.params), options: lines.addMaybe(request.options) },
  }
  return lines.print(head as unknown as JsonObject)
}

/** An inquiry as text. */
export function printInquiry(service: string): string {
  const inquiry: Inquiry = { kind: 'inquiry', service }
  return JSON.stringify(inquiry)
}

/** Any other frame as text. */
export function printCallFrame(frame: CallFrame): string {
  if (frame.kind === 'outcome') return printOutcome(frame.outcome)
  const lines = new PayloadLines()
  return lines.print(headOf(frame, lines) as JsonObject)
}

function printOutcome(outcome: Outcome): string {
  if (outcome.kind === 'complete') return completeHead + printPayload(outcome.result)
  const lines = new PayloadLines()
  return lines.print({ kind: 'outcome', outcome: outcomeHead(outcome, lines) } as JsonObject)
}

function headOf(frame: Exclude<CallFrame, { kind: 'outcome' }>, lines: PayloadLines): object {
  switch (frame.kind) {
    case 'notification': {
      const { method, params } = frame.notification
      return { kind: 'notification', method, params: lines.addMaybe(params) }
    }
    case 'ask': {
      const { id, request, to, options } = frame
      const { timeoutMs, guessed, key } = options ?? {}
      const { method, params } = request
      return { kind: 'ask', id, method, params: lines.addMaybe(params), to, timeoutMs, guessed, key }
    }
    case 'answer':
      return { kind: 'answer', id: frame.id, ...answerHead(frame.answer, lines) }
    case 'chunk':
      // A value without a JSON form, such as undefined, becomes null.
      return { kind: 'chunk', data: frame.data ?? null }
    case 'ack':
    case 'progress':
    case 'withdrawn':
    case 'task_started':
    case 'end':
    case 'accepted':
    case 'refused':
    case 'unknown_context':
    case 'taken':
      break
  }
  return frame
}

function answerHead(answer: Answer, lines: PayloadLines): object {
  return 'result' in answer ? { result: lines.add(answer.result) } : { error: errorHead(answer.error, lines) }
}

function outcomeHead(outcome: Exclude<Outcome, { kind: 'complete' }>, lines: PayloadLines): object {
  if (outcome.kind === 'error') return { kind: 'error', error: errorHead(outcome.error, lines), loss: outcome.loss }
  const requests = Object.entries(outcome.requests).map(([key, { method, params }]) => [
    key,
    { method, params: lines.addMaybe(params) },
  ])
  return { kind: 'input_required', requests, state: outcome.state }
}

function errorHead(error: WireError, lines: PayloadLines): object {
  return { ...error, data: lines.addMaybe(error.data) }
}
