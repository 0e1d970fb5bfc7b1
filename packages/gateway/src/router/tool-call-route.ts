import type { TelemetryEvent } from '@junctor/contracts'
import type { Outcome } from '@junctor/exchange'
import { andThen } from '@junctor/primitives'
import { edit, type JsonObject, payloadOf, type Request } from '@junctor/jsonrpc'
import { allows, canBeAsked, mcpExtensions, takesTasks } from '@junctor/protocol'
import type { BackendEntry } from '../shared/backend-entry.ts'
import type { Call } from '../upstream/calls/call.ts'
import { extensionsOf } from '../upstream/catalogue/extension-union.ts'
import type { Route } from '../upstream/catalogue/tenant-view.ts'
import { failed } from '../upstream/calls/failed.ts'
import { bindTask, unbindTask } from './tasks/bound-task.ts'
import { collectTask } from './tasks/collect-task.ts'
import { createTask } from './tasks/create-task.ts'
import {
  insistsOnTasks,
  isUnknownTask,
  readStartedTask,
  type StartedTask,
  takingTasks,
} from './tasks/extension-calls.ts'
import { type TaskAsked, taskAsked } from './tasks/task.ts'
import { callAsTask, collectResult } from './tasks/upstream-task.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'
import { namedRoute } from './named-routes.ts'

/** How a call is made. */
type CallMode =
  /** As most calls: neither the call nor its tool has to do with tasks. */
  | { readonly kind: 'plain' }
  /** As a job: the client gets a task now. */
  | { readonly kind: 'task'; readonly ttlMs: number | undefined }
  | { readonly kind: 'refused'; readonly outcome: Outcome }
  /** The client, or what calls for it, waits for the result. `takesTask`: unless the backend starts a task. */
  | { readonly kind: 'result'; readonly takesTask: boolean }

const plain: CallMode = { kind: 'plain' }

/**
 * `tools/call`: goes to the backend that owns the name. A client of 2025-11-25 may ask for a task, and one of 2026-07-28 may
 * take one: the call then runs as a job on this node or another. Whether the backend itself has tasks is not visible to
 * the client.
 */
export function toolCallRoute(parts: RouterParts): MethodRoute {
  const { jobs, node, emit } = parts

  return namedRoute(parts, 'tools', (call, route, request, params) => {
    const { context, attempt } = call.exchange
    const mode = modeOf(parts, call, route, params)
    if (mode.kind === 'refused') return mode.outcome
    if (mode.kind === 'task') return createTask(jobs, call, { home: node, ttlMs: mode.ttlMs })
    // A node that is gone now has started the call before.
    call.isRepeatable = route.traits?.repeatable === true
    const mayRepeat = call.isRepeatable || context.backendTask !== undefined
    if (attempt > 1 && !mayRepeat) return failed(call, 'outcome_unknown')
    // Calls of the gateway's own tools produce no events, because these tools show the events.
    if (route.entry.builtIn !== true) {
      call.tool = route.shown
      emit(started(call, route))
    }
    if (mode.kind === 'plain') return parts.calls.run(call, route.entry, request)
    const own = params['task'] === undefined ? request : withoutTask(request)
    const { backendTask } = context
    if (backendTask !== undefined) return goOn(parts, call, route, own, backendTask)
    return start(parts, call, route, own, mode.takesTask)
  })
}

type ViewParts = Pick<RouterParts, 'views'>

function modeOf(parts: ViewParts, call: Call, route: Route, params: JsonObject): CallMode {
  const { context } = call.exchange
  const asksForTask = params['task'] !== undefined
  const isRequired = route.traits?.taskSupport === 'required'
  const mayStart = mayStartTask(parts, call, route)
  if (!asksForTask && context.backendTask === undefined && !isRequired && !mayStart) return plain
  // A job and a calling tool collect no task: they wait for the result.
  if (context.job !== undefined || context.backendTask !== undefined || context.chain !== undefined)
    return { kind: 'result', takesTask: false }
  const takesTask = takesTasks(context.client.capabilities, context.revision)
  // Only the process that has started a task can answer questions about it: the job keeps that process to itself.
  const isBound = !route.entry.backend.correlates && canBeAsked(context.client.capabilities) && mayStart
  if (takesTask && (isRequired || isBound)) return { kind: 'task', ttlMs: undefined }
  if (isRequired || asksForTask) {
    const asked = taskAsked(call.request.params, context.revision)
    const problem = taskProblem(asked, route, call)
    if (problem !== undefined) return { kind: 'refused', outcome: problem }
    if (asked.kind === 'task') return { kind: 'task', ttlMs: asked.ttlMs }
  }
  return { kind: 'result', takesTask }
}

function start(
  parts: RouterParts,
  call: Call,
  route: Route,
  request: Request,
  takesTask: boolean,
): Outcome | Promise<Outcome> {
  const { calls } = parts
  const { entry, traits } = route
  if (!mayStartTask(parts, call, route)) {
    const isTask = traits?.taskSupport === 'required'
    return isTask ? callAsTask(calls, call, entry, request) : calls.run(call, entry, request)
  }
  const taking = (): Outcome | Promise<Outcome> =>
    andThen(calls.run(call, entry, { ...request, params: takingTasks(request.params) }), (outcome) => {
      const task = readStartedTask(outcome)
      if (task === undefined) return outcome
      return takesTask ? keepTask(parts, call, entry, task) : collectTask(calls, call, entry, task.taskId)
    })
  // A job waits as long as a task takes. Other callers have only the time of their calls, so it is not offered for them.
  if (takesTask || call.exchange.context.job !== undefined) return taking()
  return andThen(calls.run(call, entry, request), (outcome) => (insistsOnTasks(outcome) ? taking() : outcome))
}

/**
 * Continues a job whose task the backend has started already. A backend that knows the task no more, because it has
 * started again or is another server now, is called again if its tool may repeat.
 */
function goOn(
  parts: RouterParts,
  call: Call,
  route: Route,
  request: Request,
  backendTask: string,
): Outcome | Promise<Outcome> {
  const { calls } = parts
  const again = (): Outcome | Promise<Outcome> =>
    call.isRepeatable ? start(parts, call, route, request, false) : failed(call, 'outcome_unknown')
  const task = unbindTask(route.entry, backendTask)
  if (task.kind === 'foreign') return again()
  const collect = mayStartTask(parts, call, route) ? collectTask : collectResult
  return andThen(collect(calls, call, route.entry, task.taskId), (outcome) =>
    call.exchange.attempt === 1 || !isUnknownTask(outcome) ? outcome : again(),
  )
}

/** Whether the backend of a tool may answer with a task (SEP-2663). */
function mayStartTask({ views }: ViewParts, { caller }: Call, { entry }: Route): boolean {
  const server = views.seen(caller).view.servers.get(entry)
  return server?.revision === '2026-07-28' && extensionsOf({ server })[mcpExtensions.tasks] !== undefined
}

/** Answers with a task of the gateway for one that the backend has started. Without storage for it, that is cancelled. */
async function keepTask(
  { calls, jobs, node: home }: RouterParts,
  call: Call,
  entry: BackendEntry,
  { taskId, ttlMs }: StartedTask,
): Promise<Outcome> {
  const created = await createTask(jobs, call, { home, ttlMs, backendTask: bindTask(entry, taskId) })
  if (created.kind === 'error') calls.cancelTask(call, entry, takingTasks(payloadOf({ taskId })))
  return created
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
