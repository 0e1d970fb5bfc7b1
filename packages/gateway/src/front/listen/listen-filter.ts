import { isJsonObject, type JsonObject, memberOf, type Request } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'

/** What a client listens for (2026-07-28, Subscriptions, "Notification Filter"). */
export type ListenFilter =
  | { readonly kind: 'bad'; readonly message: string }
  | {
      readonly kind: 'filter'
      readonly lists: readonly ChangeFlag[]
      readonly uris: readonly string[]
      readonly tasks: readonly string[]
      /** The members that this revision does not know. Extensions may have defined them. */
      readonly others: JsonObject
    }

/** Asks for the changes of one kind of list. */
export type ChangeFlag = 'toolsListChanged' | 'promptsListChanged' | 'resourcesListChanged'

/** The notifications that the flags ask for. */
export const changeNotices: Readonly<Record<ChangeFlag, string>> = {
  toolsListChanged: methods.notificationsToolsListChanged,
  promptsListChanged: methods.notificationsPromptsListChanged,
  resourcesListChanged: methods.notificationsResourcesListChanged,
}

const changeFlags = Object.keys(changeNotices) as readonly ChangeFlag[]

const known: ReadonlySet<string> = new Set([...changeFlags, 'resourceSubscriptions', 'taskIds'])

/** Reads the filter of a request. A member of null is none. */
export function readListenFilter({ params }: Request): ListenFilter {
  const asked = memberOf(params?.value(), 'notifications')
  if (!isJsonObject(asked)) return { kind: 'bad', message: 'Expects "notifications" to be an object' }
  const wrong = changeFlags.find((flag) => typeof (asked[flag] ?? false) !== 'boolean')
  if (wrong !== undefined) return { kind: 'bad', message: `Expects "${wrong}" to be true or false` }
  const uris = asked['resourceSubscriptions'] ?? []
  const tasks = asked['taskIds'] ?? []
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) {
    return { kind: 'bad', message: 'Expects "resourceSubscriptions" to be a list of URIs' }
  }
  if (!Array.isArray(tasks) || !tasks.every((id) => typeof id === 'string')) {
    return { kind: 'bad', message: 'Expects "taskIds" to be a list of task ids' }
  }
  return {
    kind: 'filter',
    lists: changeFlags.filter((flag) => asked[flag] === true),
    uris: [...new Set(uris)],
    tasks: [...new Set(tasks)],
    others: Object.fromEntries(Object.entries(asked).filter(([name]) => !known.has(name))),
  }
}
