import { andThen } from '@junctor/primitives'
import type { Outcome } from '@junctor/exchange'
import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import { allows } from '@junctor/protocol'
import { CallFailed, type CallFailure } from '../call-failed.ts'
import type { Tool, ToolOutcome } from '../create-tool.ts'
import { exactMember, numberProblems } from '../changed-numbers.ts'
import { exactPayload, printedPayload } from '../printed-payload.ts'
import { publicMessage } from '../public-message.ts'
import { describeProblems } from '../schema/schema-problem.ts'
import { ToolResponse } from '../tool-response.ts'
import type { MethodCall } from './method-handler.ts'

/** Of a wrong value, as a message shows it. */
const mostCharacters = 100

/**
 * `tools/call`. An error that a tool throws becomes its answer, with the message only; for any other value not even
 * that.
 */
export function callTool(call: MethodCall): Outcome | Promise<Outcome> {
  const { name } = call.params
  if (typeof name !== 'string') return call.error('invalid_params', { message: 'Expected the name of a tool' })
  const given = call.params['arguments']
  if (given !== undefined && given !== null && !isJsonObject(given)) {
    const got = JSON.stringify(given).slice(0, mostCharacters)
    return call.error('invalid_params', { message: `arguments: expected an object, got ${got}` })
  }
  const tool = call.catalogue.tools.get(name)
  if (tool === undefined) return call.error('unknown_tool', { name })
  const exact = exactMember(call.request.params, 'arguments') as JsonObject | undefined
  const problems = numberProblems(exact, tool.exactNumbers === true)
  if (problems.length > 0) {
    const reason = describeProblems(`The arguments of ${name} have numbers that would not arrive`, problems)
    return toOutcome({ kind: 'refused', reason }, tool, call)
  }
  try {
    const outcome = andThen(tool.call(given, call.context, exact), (made) => toOutcome(made, tool, call))
    return outcome instanceof Promise ? outcome.catch((error: unknown) => failed(error, name, call)) : outcome
  } catch (error) {
    return failed(error, name, call)
  }
}

function toOutcome(outcome: ToolOutcome, { name, exactNumbers }: Tool, call: MethodCall): Outcome {
  if (outcome.kind === 'answered') return complete(outcome.result, exactNumbers)
  // Before 2025-11-25 a client expects a protocol error; the model would not see a tool error and could not correct it.
  return allows(call.context.exchange.context.revision, 'argumentErrorsAsResults')
    ? complete(ToolResponse.error(outcome.reason))
    : call.error('invalid_arguments', { name, message: outcome.reason })
}

function failed(error: unknown, tool: string, call: MethodCall): Outcome {
  if (error instanceof CallFailed) return ended(error, tool, call)
  call.logFailure('tool failed', { tool, error })
  return complete(ToolResponse.error(publicMessage(error) ?? `The tool ${tool} failed`))
}

function ended({ failure, loss }: CallFailed, name: string, call: MethodCall): Outcome {
  const outcome = errorOf(failure, name, call)
  return loss === undefined ? outcome : { ...outcome, loss }
}

function errorOf(failure: CallFailure, name: string, call: MethodCall): Extract<Outcome, { kind: 'error' }> {
  if ('situation' in failure) {
    return call.error(failure.situation, { name, backend: call.link.logger, ...failure.details })
  }
  const { data, ...error } = failure.error
  return { kind: 'error', error: { ...error, ...(data !== undefined && { data: exactPayload(data) }) } }
}

function complete(result: ToolResponse, exactNumbers = false): Outcome {
  const payload = exactNumbers ? exactPayload(result as JsonObject) : printedPayload(result)
  return { kind: 'complete', result: payload }
}
