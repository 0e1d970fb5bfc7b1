/**
 * Every method and notification of MCP, of all revisions. Other code uses these constants and does not repeat the
 * names. `methodGate` knows which revision has which method.
 */
export const methods = {
  initialize: 'initialize',
  ping: 'ping',
  serverDiscover: 'server/discover',
  toolsList: 'tools/list',
  toolsCall: 'tools/call',
  resourcesList: 'resources/list',
  resourcesTemplatesList: 'resources/templates/list',
  resourcesRead: 'resources/read',
  /** The skills extension (SEP-2640) has this and the two methods of `skills/`. */
  resourcesDirectoryRead: 'resources/directory/read',
  skillsList: 'skills/list',
  skillsGet: 'skills/get',
  resourcesSubscribe: 'resources/subscribe',
  resourcesUnsubscribe: 'resources/unsubscribe',
  promptsList: 'prompts/list',
  promptsGet: 'prompts/get',
  completionComplete: 'completion/complete',
  loggingSetLevel: 'logging/setLevel',
  subscriptionsListen: 'subscriptions/listen',
  tasksGet: 'tasks/get',
  tasksResult: 'tasks/result',
  tasksList: 'tasks/list',
  tasksCancel: 'tasks/cancel',
  tasksUpdate: 'tasks/update',
  samplingCreateMessage: 'sampling/createMessage',
  elicitationCreate: 'elicitation/create',
  rootsList: 'roots/list',
  notificationsInitialized: 'notifications/initialized',
  notificationsCancelled: 'notifications/cancelled',
  notificationsProgress: 'notifications/progress',
  notificationsMessage: 'notifications/message',
  notificationsToolsListChanged: 'notifications/tools/list_changed',
  notificationsResourcesListChanged: 'notifications/resources/list_changed',
  notificationsResourcesUpdated: 'notifications/resources/updated',
  notificationsPromptsListChanged: 'notifications/prompts/list_changed',
  notificationsRootsListChanged: 'notifications/roots/list_changed',
  notificationsTasksStatus: 'notifications/tasks/status',
  /** The tasks extension (SEP-2663). */
  notificationsTasks: 'notifications/tasks',
  notificationsElicitationComplete: 'notifications/elicitation/complete',
  notificationsSubscriptionsAcknowledged: 'notifications/subscriptions/acknowledged',
} as const

/** The name of a method or notification of MCP. */
export type MethodName = (typeof methods)[keyof typeof methods]
