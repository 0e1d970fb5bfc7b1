import type { Client, Exchange, NotificationBody, Outcome } from '@junctor/exchange'
import type { Link, Log, Scope, ServerInfo } from '@junctor/contracts'
import type { Request } from '@junctor/jsonrpc'
import type { Catalogue } from './catalogue.ts'
import type { Method } from './create-method.ts'
import { MethodCall, type LinkState } from './methods/method-handler.ts'
import { methodHandlers } from './methods/method-handlers.ts'
import { callMethod } from './methods/plain-method.ts'
import { notifyUpdated } from './methods/subscriptions.ts'
import { publicMessage } from './public-message.ts'

/** What a link is opened with. */
export interface LocalLinkOptions {
  readonly server: ServerInfo
  readonly scope: Scope
  readonly client: Client
  readonly log: Log
  readonly logger: string
  /** Methods outside MCP, by name. */
  readonly methods: ReadonlyMap<string, Method>
  /** The current offer of the backend. */
  readonly catalogue: () => Catalogue
}

/** A link, as seen by the backend that opened it. */
export interface OpenLink extends Link {
  /** Sends a notification outside any request. */
  notifyClient(notification: NotificationBody): void
  updated(uri: string): void
  /** Ends the link because the backend cannot work any more. Requests in progress go on. */
  break(error: Error): void
}

/** Opens a link to a backend in this process. */
export function openLink({ server, scope, client, log, logger, methods, catalogue }: LocalLinkOptions): OpenLink {
  const state: LinkState = { scope, client, logger, level: undefined, subscriptions: new Map() }
  const { promise: closed, resolve: resolveClosed } = Promise.withResolvers<Error | undefined>()
  let open = true

  function call(request: Request, exchange: Exchange): Outcome | Promise<Outcome> {
    const current = new MethodCall(request, exchange, catalogue(), state, log)
    if (!open) return { ...current.error('backend_exited', { backend: logger }), loss: 'unsent' }
    try {
      const outcome = answer(current)
      return outcome instanceof Promise ? outcome.catch((error: unknown) => failed(current, error)) : outcome
    } catch (error) {
      return failed(current, error)
    }
  }

  function answer(current: MethodCall): Outcome | Promise<Outcome> {
    const { method: name } = current.request
    const handle = methodHandlers.get(name)
    if (handle !== undefined) return handle(current)
    const method = methods.get(name)
    return method === undefined ? current.error('method_not_found', { name }) : callMethod(method, current)
  }

  function end(error: Error | undefined): void {
    if (!open) return
    open = false
    for (const [uri, stop] of state.subscriptions) {
      try {
        stop()
      } catch (thrown) {
        log.error('a subscription failed when it was ended', { uri, error: thrown })
      }
    }
    state.subscriptions.clear()
    resolveClosed(error)
  }

  return {
    server,
    list: async (kind) => catalogue().lists[kind],
    call,
    // A tool asks for changed roots when it needs them, and a cancelled request has already ended its exchange.
    notify: () => undefined,
    closed,
    close: async () => end(undefined),
    break: end,
    notifyClient: (notification) => client.notify(notification),
    updated: (uri) => notifyUpdated(state, uri),
  }
}

function failed(current: MethodCall, error: unknown): Outcome {
  current.logFailure('request failed', { method: current.request.method, error })
  const message = publicMessage(error)
  return current.error('internal_error', message === undefined ? {} : { message })
}
