import type { Answer, Outcome } from '@junctor/exchange'
import type { JsonObject, WireError } from '@junctor/jsonrpc'
import type { CallFrame, Opening } from './call-frame.ts'
import { PayloadLines } from './payload-lines.ts'

/** The opening as text. */
export function printOpening({ request, ...opening }: Opening): string {
  const lines = new PayloadLines()
  const { dialect, id, method } = request
  const [params, options] = [lines.addMaybe(request.params), lines.addMaybe(request.options)]
  return lines.print({ ...opening, request: { dialect, id, method, params, options } } as unknown as JsonObject)
}

/** Any other frame as text. */
export function printCallFrame(frame: CallFrame): string {
  const lines = new PayloadLines()
  return lines.print(headOf(frame, lines) as JsonObject)
}

function headOf(frame: CallFrame, lines: PayloadLines): object {
  switch (frame.kind) {
    case 'notification': {
      const { method, params } = frame.notification
      return { kind: 'notification', method, params: lines.addMaybe(params) }
    }
    case 'ask': {
      const { id, request, options } = frame
      const { timeoutMs, guessed } = options ?? {}
      return { kind: 'ask', id, method: request.method, params: lines.addMaybe(request.params), timeoutMs, guessed }
    }
    case 'answer':
      return { kind: 'answer', id: frame.id, ...answerHead(frame.answer, lines) }
    case 'outcome':
      return { kind: 'outcome', outcome: outcomeHead(frame.outcome, lines) }
    case 'chunk':
      // What JSON has no form for, such as undefined, is null.
      return { kind: 'chunk', data: frame.data ?? null }
    case 'ack':
    case 'progress':
    case 'withdrawn':
    case 'end':
    case 'accepted':
    case 'refused':
    case 'taken':
    case 'check':
      break
  }
  return frame
}

function answerHead(answer: Answer, lines: PayloadLines): object {
  return 'result' in answer ? { result: lines.add(answer.result) } : { error: errorHead(answer.error, lines) }
}

function outcomeHead(outcome: Outcome, lines: PayloadLines): object {
  switch (outcome.kind) {
    case 'complete':
      return { kind: 'complete', result: lines.add(outcome.result) }
    case 'input_required': {
      const requests = Object.entries(outcome.requests).map(([key, { method, params }]) => [
        key,
        { method, params: lines.addMaybe(params) },
      ])
      return { kind: 'input_required', requests, state: outcome.state }
    }
    case 'error':
      return { kind: 'error', error: errorHead(outcome.error, lines) }
    case 'task':
      break
  }
  return outcome
}

function errorHead(error: WireError, lines: PayloadLines): object {
  return { ...error, data: lines.addMaybe(error.data) }
}
