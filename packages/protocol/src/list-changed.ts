import { type MethodName, methods } from './methods.ts'

/** The notification that a list of a server has changed, by the capability of the list. Templates are in `resources`. */
export const listChanged: Readonly<Record<'tools' | 'resources' | 'prompts', MethodName>> = {
  tools: methods.notificationsToolsListChanged,
  resources: methods.notificationsResourcesListChanged,
  prompts: methods.notificationsPromptsListChanged,
}
