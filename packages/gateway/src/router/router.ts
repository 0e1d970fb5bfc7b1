import { allows, methodGate, methods, type Revision, revisions, rpcMethods } from '@junctor/protocol'
import { failed } from '../upstream/calls/failed.ts'
import { jobCancelRoute, jobResultRoute, jobStatusRoute } from './job-routes.ts'
import { taskCancelRoute, taskGetRoute, taskListRoute, taskResultRoute } from './task-routes.ts'
import { profileMethodRoute } from './profile-method-route.ts'
import { emptyOutcome } from '../shared/empty-outcome.ts'
import { completeRoute } from './completion.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'
import { listRoute } from './lists.ts'
import { setLevelRoute } from './logging.ts'
import { promptRoute } from './named-routes.ts'
import { toolCallRoute } from './tool-call-route.ts'
import { extensionCancelRoute, extensionGetRoute, extensionUpdateRoute } from './task-extension-routes.ts'
import { hidesNames } from '../shared/name-policy.ts'
import { SkillLists } from './skills/skill-lists.ts'
import { directoryReadRoute, skillGetRoute, skillListRoute } from './skill-routes.ts'
import { readResourceRoute, subscribeRoute, unsubscribeRoute } from './resources.ts'

/** 2025-11-25 has tasks in its core, later revisions as an extension, with two methods of the same names. */
function byEra(core: MethodRoute, extension: MethodRoute): MethodRoute {
  return (call) => (allows(call.exchange.context.revision, 'taskExtension') ? extension : core)(call)
}

/** Methods whose effect outlives the request, so they need a session. */
const isStateful: ReadonlySet<string> = new Set([
  methods.resourcesSubscribe,
  methods.resourcesUnsubscribe,
  methods.loggingSetLevel,
])

/** Answers any request of a session, from the catalogue or through the backend that owns the name. */
export function createRouter(parts: RouterParts): MethodRoute {
  const tasks = { jobs: parts.jobs, pageItems: parts.limits.pageItems }
  const lists = new SkillLists(parts)
  const skills = { ...parts, lists }
  const added = profileMethodRoute(parts)
  /** At the endpoint of a single backend, there is nothing to merge; what a policy hides is left out there too. */
  const merged =
    (route: MethodRoute): MethodRoute =>
    (call) => {
      const { single, resources } = call.caller.tenant
      return single === true && !hidesNames(resources) ? added(call) : route(call)
    }
  const routes = new Map<string, MethodRoute>([
    [methods.ping, () => emptyOutcome],
    [methods.toolsList, listRoute(parts, 'tools')],
    [methods.resourcesList, listRoute(parts, 'resources')],
    [methods.resourcesTemplatesList, listRoute(parts, 'resourceTemplates')],
    [methods.promptsList, listRoute(parts, 'prompts')],
    [methods.toolsCall, toolCallRoute(parts)],
    [methods.resourcesRead, readResourceRoute(parts, lists)],
    [methods.resourcesDirectoryRead, merged(directoryReadRoute(skills))],
    [methods.skillsList, merged(skillListRoute(skills))],
    [methods.skillsGet, merged(skillGetRoute(skills))],
    [methods.resourcesSubscribe, subscribeRoute(parts)],
    [methods.resourcesUnsubscribe, unsubscribeRoute(parts)],
    [methods.promptsGet, promptRoute(parts)],
    [methods.completionComplete, completeRoute(parts)],
    [methods.loggingSetLevel, setLevelRoute(parts)],
    [methods.tasksGet, byEra(taskGetRoute(tasks), extensionGetRoute(parts.jobs))],
    [methods.tasksResult, taskResultRoute(tasks)],
    [methods.tasksList, taskListRoute(tasks)],
    [methods.tasksCancel, byEra(taskCancelRoute(tasks), extensionCancelRoute(parts.jobs))],
    [methods.tasksUpdate, extensionUpdateRoute(parts.jobs)],
    [rpcMethods.jobStatus, jobStatusRoute(parts.jobs)],
    [rpcMethods.jobResult, jobResultRoute(parts.jobs)],
    [rpcMethods.jobCancel, jobCancelRoute(parts.jobs)],
  ])

  const tables = new Map(revisions.map((revision) => [revision, routesIn(revision, routes)]))
  /** Methods that only a profile or a plugin may have. */
  const other: MethodRoute = (call) =>
    methodGate(call.request.method, 'server', call.exchange.context.revision) === 'closed'
      ? notInRevision(call)
      : added(call)

  return (call) => (tables.get(call.exchange.context.revision)?.get(call.request.method) ?? other)(call)
}

/** The routes as clients of one revision may use them. */
function routesIn(revision: Revision, routes: ReadonlyMap<string, MethodRoute>): ReadonlyMap<string, MethodRoute> {
  return new Map(
    Array.from(routes, ([method, route]) => {
      if (methodGate(method, 'server', revision) === 'closed') return [method, notInRevision]
      return [method, isStateful.has(method) ? inSession(route) : route]
    }),
  )
}

const notInRevision: MethodRoute = (call) => failed(call, 'method_not_in_revision', { name: call.request.method })

function inSession(route: MethodRoute): MethodRoute {
  return (call) => (call.caller.context.session === undefined ? failed(call, 'session_missing') : route(call))
}
