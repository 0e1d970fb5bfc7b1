import { andThen } from '@junctor/primitives'
import type { Outcome } from '@junctor/exchange'
import { payloadFromText, type JsonValue } from '@junctor/jsonrpc'
import { exactValueOf, numberProblems } from '../changed-numbers.ts'
import type { Method, MethodOutcome } from '../create-method.ts'
import { describeProblems } from '../schema/schema-problem.ts'
import type { MethodCall } from './method-handler.ts'

/** Answers a request for a method outside MCP. */
export function callMethod(method: Method, call: MethodCall): Outcome | Promise<Outcome> {
  const params = call.request.params?.value() as JsonValue | undefined
  const problems = numberProblems(exactValueOf(call.request.params), false)
  if (problems.length > 0) {
    const reason = describeProblems(`The params of ${method.name} have numbers that would not arrive`, problems)
    return toOutcome({ kind: 'refused', reason }, call)
  }
  return andThen(method.call(params, call.context), (outcome) => toOutcome(outcome, call))
}

function toOutcome(outcome: MethodOutcome, call: MethodCall): Outcome {
  if (outcome.kind === 'refused') return call.error('invalid_params', { message: outcome.reason })
  // Serialized here, so that a value that JSON cannot carry is an error of the handler. A value without a JSON form is
  // null.
  return { kind: 'complete', result: payloadFromText(JSON.stringify(outcome.result) ?? 'null') }
}
