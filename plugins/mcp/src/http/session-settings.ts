import { memberOf, methods, type Payload, type Request } from '@junctor/plugin-sdk/link'

/** The settings of a session at a server, so that they can be restored in another session. */
export interface SessionSettings {
  /** Records a request that has succeeded. */
  note(request: Request): void
  /** The resources that the session is subscribed to. */
  uris(): readonly string[]
  /** The requests that restore the settings. */
  requests(): readonly { readonly method: string; readonly params: Payload | undefined }[]
}

/** Creates the settings of a session that has set nothing. */
export function createSessionSettings(): SessionSettings {
  let level: Payload | undefined
  const subscriptions = new Map<string, Payload>()
  return {
    note({ method, params }) {
      const uri = params === undefined ? undefined : uriOf(params)
      if (method === methods.loggingSetLevel) level = params
      else if (params === undefined || uri === undefined) return
      else if (method === methods.resourcesSubscribe) subscriptions.set(uri, params)
      else if (method === methods.resourcesUnsubscribe) subscriptions.delete(uri)
    },
    uris: () => [...subscriptions.keys()],
    requests: () => [
      ...(level === undefined ? [] : [{ method: methods.loggingSetLevel, params: level }]),
      ...[...subscriptions.values()].map((params) => ({ method: methods.resourcesSubscribe, params })),
    ],
  }
}

function uriOf(params: Payload): string | undefined {
  const uri = memberOf(params.value(), 'uri')
  return typeof uri === 'string' ? uri : undefined
}
