import { type MethodName, methods } from '../methods.ts'
import { isWithin, type Revision, type Span } from '../revision.ts'

/** The side that receives a message. */
export type Side = 'server' | 'client'

interface Rule extends Span {
  readonly to: Side | 'either'
}

const always = { first: '2024-11-05' } as const
const handshakeOnly = { first: '2024-11-05', last: '2025-11-25' } as const

const rules: Readonly<Record<MethodName, Rule>> = {
  [methods.initialize]: { to: 'server', ...handshakeOnly },
  [methods.ping]: { to: 'either', ...handshakeOnly },
  [methods.serverDiscover]: { to: 'server', first: '2026-07-28' },
  [methods.toolsList]: { to: 'server', ...always },
  [methods.toolsCall]: { to: 'server', ...always },
  [methods.resourcesList]: { to: 'server', ...always },
  [methods.resourcesTemplatesList]: { to: 'server', ...always },
  [methods.resourcesRead]: { to: 'server', ...always },
  [methods.resourcesDirectoryRead]: { to: 'server', ...always },
  [methods.skillsList]: { to: 'server', ...always },
  [methods.skillsGet]: { to: 'server', ...always },
  [methods.resourcesSubscribe]: { to: 'server', ...handshakeOnly },
  [methods.resourcesUnsubscribe]: { to: 'server', ...handshakeOnly },
  [methods.promptsList]: { to: 'server', ...always },
  [methods.promptsGet]: { to: 'server', ...always },
  [methods.completionComplete]: { to: 'server', ...always },
  [methods.loggingSetLevel]: { to: 'server', ...handshakeOnly },
  [methods.subscriptionsListen]: { to: 'server', first: '2026-07-28' },
  // In 2025-11-25 tasks are in the core and either side may run them; from 2026-07-28 on they are an extension.
  [methods.tasksGet]: { to: 'either', first: '2025-11-25' },
  [methods.tasksCancel]: { to: 'either', first: '2025-11-25' },
  [methods.tasksResult]: { to: 'either', first: '2025-11-25', last: '2025-11-25' },
  [methods.tasksList]: { to: 'either', first: '2025-11-25', last: '2025-11-25' },
  [methods.tasksUpdate]: { to: 'server', first: '2026-07-28' },
  // From 2026-07-28 on these three are sent inside `input_required`, not as separate requests.
  [methods.samplingCreateMessage]: { to: 'client', ...always },
  [methods.elicitationCreate]: { to: 'client', first: '2025-06-18' },
  [methods.rootsList]: { to: 'client', ...always },
  [methods.notificationsInitialized]: { to: 'server', ...handshakeOnly },
  [methods.notificationsCancelled]: { to: 'either', ...always },
  [methods.notificationsProgress]: { to: 'either', ...always },
  [methods.notificationsMessage]: { to: 'client', ...always },
  [methods.notificationsToolsListChanged]: { to: 'client', ...always },
  [methods.notificationsResourcesListChanged]: { to: 'client', ...always },
  [methods.notificationsResourcesUpdated]: { to: 'client', ...always },
  [methods.notificationsPromptsListChanged]: { to: 'client', ...always },
  [methods.notificationsRootsListChanged]: { to: 'server', ...handshakeOnly },
  [methods.notificationsTasksStatus]: { to: 'either', first: '2025-11-25', last: '2025-11-25' },
  [methods.notificationsTasks]: { to: 'client', first: '2026-07-28' },
  [methods.notificationsElicitationComplete]: { to: 'client', first: '2025-11-25', last: '2025-11-25' },
  [methods.notificationsSubscriptionsAcknowledged]: { to: 'client', first: '2026-07-28' },
}

/**
 * Whether a revision has a method or notification in this direction. `open`: yes. `closed`: only other revisions have
 * it. `unknown`: MCP has no such method; a plugin may still offer it.
 */
export function methodGate(method: string, to: Side, revision: Revision): 'open' | 'closed' | 'unknown' {
  if (!Object.hasOwn(rules, method)) return 'unknown'
  const rule = rules[method as MethodName]
  if (rule.to !== to && rule.to !== 'either') return 'unknown'
  return isWithin(revision, rule) ? 'open' : 'closed'
}

/** Whether any revision has this method or notification, in either direction. */
export function isMcpMethod(method: string): boolean {
  return Object.hasOwn(rules, method)
}
