import { isJsonObject, methods, type Payload, type Request } from '@junctor/plugin-sdk/link'

/** What has been set in a session at a server, so that it can be set again in another one. */
export interface SessionSettings {
  /** Takes note of a request that has succeeded. */
  note(request: Request): void
  /** The requests that set it again. */
  requests(): readonly { readonly method: string; readonly params: Payload | undefined }[]
}

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
