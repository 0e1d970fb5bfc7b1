import { isJsonObject, methods, type Payload, type Request } from '@junctor/plugin-sdk/link'

/** The settings of a session at a server, so that they can be restored in another session. */
export interface SessionSettings {
  /** Records a request that has succeeded. */
  note(request: Request): void
  /** The requests that restore the settings. */
  requests(): readonly { readonly method: string; readonly params: Payload | undefined }[]
}

/** Creates the settings of a session that has set nothing. */
export function createSessionSettings(): SessionSettings {
  let level: Payload | undefined
  const subscriptions = new Map<unknown, Payload>()
  return {
    note({ method, params }) {
      if (method === methods.loggingSetLevel) level = params
      else if (method === methods.resourcesSubscribe && params !== undefined) subscriptions.set(uriOf(params), params)
      else if (method === methods.resourcesUnsubscribe && params !== undefined) subscriptions.delete(uriOf(params))
    },
    requests: () => [
      ...(level === undefined ? [] : [{ method: methods.loggingSetLevel, params: level }]),
      ...[...subscriptions.values()].map((params) => ({ method: methods.resourcesSubscribe, params })),
    ],
  }
}

function uriOf(params: Payload): unknown {
  const value = params.value()
  return isJsonObject(value) ? value['uri'] : undefined
}
