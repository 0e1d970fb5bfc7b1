import type { TelemetryEvent } from '@junctor/contracts'
import type { Outcome } from '@junctor/exchange'
import type { JsonObject, Request } from '@junctor/jsonrpc'
import { edit } from '@junctor/jsonrpc'
import { allows } from '@junctor/protocol'
import type { Call } from '../upstream/calls/call.ts'
import type { CallerView } from '../upstream/callers/caller-view.ts'
import { ownerOf } from '../upstream/callers/owner-of.ts'
import type { Route } from '../upstream/catalogue/tenant-view.ts'
import { failed } from '../upstream/calls/failed.ts'
import { createTask } from './tasks/create-task.ts'
import type { TaskAsked } from './tasks/task.ts'
import { taskAsked } from './tasks/task.ts'
import { callAsTask } from './tasks/upstream-task.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'
import type { ReadParam } from './params.ts'
import { textParam } from './params.ts'
import { ambiguous } from './resource-route.ts'
import { unreachableOwner } from './unreachable.ts'

/** The kinds that backends offer by name, with the situation for an unknown name. */
const unknown = { tools: 'unknown_tool', prompts: 'unknown_prompt' } as const

/** `prompts/get`: goes to the backend that owns the name, under the backend's own name. */
export function promptRoute(parts: RouterParts): MethodRoute {
  return namedRoute(parts, 'prompts', (call, route, request) => parts.calls.run(call, route.entry, request))
}

/**
 * `tools/call`: the same. A call with `task` is answered with a task, and then runs as a job on this node or another.
 * Whether the backend itself has tasks is not visible to the client.
 */
export function toolCallRoute(parts: RouterParts): MethodRoute {
  const { calls, jobs, node, emit } = parts

  return namedRoute(parts, 'tools', (call, route, request, params) => {
    const { context, attempt } = call.exchange
    const { traits } = route
    const isTask = traits?.taskSupport === 'required'
    // Nobody collects a task for a job or for another tool: it waits for the result.
    const needsResult = context.job !== undefined || context.chain !== undefined
    if (!needsResult && (isTask || params['task'] !== undefined)) {
      const asked = taskAsked(request.params, context.revision)
      const problem = taskProblem(asked, route, call)
      if (problem !== undefined) return problem
      if (asked.kind === 'task') return createTask(jobs, call, node, asked.ttlMs)
    }
    // A node that is gone now has started the call before.
    if (attempt > 1 && traits?.repeatable !== true) return failed(call, 'outcome_unknown')
    // Calls of the gateway's own tools produce no events, because these tools show the events.
    if (route.entry.builtIn !== true) {
      call.tool = route.shown
      emit(started(call, route))
    }
    const plain = needsResult ? withoutTask(request) : request
    return isTask ? callAsTask(calls, call, route.entry, plain) : calls.run(call, route.entry, plain)
  })
}

/** Sends a request to its backend, with the backend's own names. `params` are those of the client. */
type Run = (call: Call, route: Route, request: Request, params: JsonObject) => Outcome | Promise<Outcome>

function namedRoute({ views }: Pick<RouterParts, 'views'>, kind: keyof typeof unknown, run: Run): MethodRoute {
  const runIn = (seen: CallerView, call: Call, read: ReadParam): Outcome | Promise<Outcome> => {
    const { text: name, params, value } = read
    const owner = ownerOf(seen, kind, name)
    if (owner.kind === 'several') return ambiguous(call, name, owner.candidates)
    if (owner.kind === 'none') return unreachableOwner(call, name) ?? failed(call, unknown[kind], { name })
    const { route } = owner
    const { request } = call
    const renamed = route.name === name ? request : { ...request, params: edit(params, { name: route.name }) }
    return run(call, route, renamed, value)
  }

  return (call) => {
    const read = textParam(call, 'name')
    if (read.kind === 'bad') return read.outcome
    const seen = views.having(call.caller, kind, read.text)
    return seen instanceof Promise ? seen.then((view) => runIn(view, call, read)) : runIn(seen, call, read)
  }
}

/** Why a call cannot be made as the client wants it (2025-11-25, Tasks, "Tool-Level Negotiation"). */
function taskProblem(asked: TaskAsked, { traits }: Route, call: Call): Outcome | undefined {
  if (asked.kind === 'bad') return failed(call, 'invalid_params', { message: asked.message })
  const { revision } = call.exchange.context
  const support = traits?.taskSupport ?? 'forbidden'
  if (asked.kind === 'task' && support === 'forbidden') {
    return failed(call, 'method_not_found', { message: 'This tool cannot be called as a task' })
  }
  // For clients without tasks, the gateway handles the task.
  if (asked.kind === 'none' && support === 'required' && allows(revision, 'tasks')) {
    return failed(call, 'method_not_found', { message: 'This tool can be called as a task only: send "task"' })
  }
  return undefined
}

function withoutTask(request: Request): Request {
  const { params } = request
  return params === undefined ? request : { ...request, params: edit(params, { task: undefined }) }
}

function started(call: Call, { entry, shown }: Route): TelemetryEvent {
  const { tenant, principal } = call.exchange.context
  return {
    kind: 'tool_call_started',
    tenant,
    backend: entry.backend.name,
    tool: shown,
    trace: call.trace,
    principal: principal.key,
  }
}
