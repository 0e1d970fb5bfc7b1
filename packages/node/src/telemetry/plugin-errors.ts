import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import type {
  Backend,
  CacheHints,
  ErrorReporter,
  Link,
  ListKind,
  Log,
  Scope,
  ServerInfo,
  Emit,
} from '@junctor/contracts'
import type { Client, Exchange, NotificationBody, Outcome } from '@junctor/exchange'
import type { Payload, Request } from '@junctor/jsonrpc'
import { loadedModule } from '../plugins/loading-module.ts'

/**
 * Runs functions as the code of one backend: all asynchronous work that they start, now or later, is attributed to that
 * backend.
 */
type Within = Pick<AsyncResource, 'runInAsyncScope'>

/**
 * Knows which backend's code is running, so that an uncaught error of a plugin is distinguished from a fault of the
 * node.
 */
export interface PluginErrors {
  /** Returns what runs code as that of a backend. */
  within(backend: string): Within
  /**
   * Wraps a backend so that all work that its code starts is attributed to it.
   *
   * @param name its name in the configuration, whatever name its plugin has given it
   */
  backend(name: string, backend: Backend, within: Within): Backend
  /** See `JunctorNode.uncaught`. */
  uncaught(error: unknown): string | undefined
}

/** Where an error is reported: one of a plugin in the log and as an event, any other to `reportError`. */
export interface PluginErrorsParts {
  readonly log: Log
  readonly emit: Emit
  readonly reportError: ErrorReporter
}

/** Attributes errors to plugins by the asynchronous context (`AsyncLocalStorage`) in which they were thrown. */
export function createPluginErrors({ log, emit, reportError }: PluginErrorsParts): PluginErrors {
  const running = new AsyncLocalStorage<string>()
  return {
    within: (backend) => running.run(backend, () => new AsyncResource('backend')),
    backend: blamed,
    uncaught(error) {
      const backend = running.getStore()
      if (backend !== undefined) {
        log.error('a plugin left an uncaught error; all else goes on', { backend, error })
        emit({ kind: 'plugin_failed', backend })
        return backend
      }
      const file = loadedModule()
      if (file === undefined) reportError('process', error)
      else log.error('the module of a plugin left an uncaught error; all else goes on', { file, error })
      return file
    },
  }
}

function blamed(name: string, backend: Backend, within: Within): Backend {
  const open = (scope: Scope, client: Client, signal: AbortSignal): Promise<Link> => backend.open(scope, client, signal)
  return {
    name,
    // A backend in a process of its own may learn these later. They are not spread: that would read them now.
    get correlates() {
      return backend.correlates
    },
    get isPersonal() {
      return backend.isPersonal ?? false
    },
    get takesCallerToken() {
      return backend.takesCallerToken ?? false
    },
    get followsEra() {
      return backend.followsEra ?? false
    },
    get methods() {
      return backend.methods ?? []
    },
    get changesAlone() {
      return backend.changesAlone ?? false
    },
    ...(backend.warnings !== undefined && { warnings: () => backend.warnings?.() ?? [] }),
    open: async (...args) => new BlamedLink(await within.runInAsyncScope(open, undefined, ...args), within),
    ...(backend.drain !== undefined && {
      drain: () => within.runInAsyncScope(() => backend.drain?.() ?? Promise.resolve()),
    }),
    close: () => within.runInAsyncScope(() => backend.close()),
  }
}

class BlamedLink implements Link {
  readonly #link: Link
  readonly #within: Within

  constructor(link: Link, within: Within) {
    this.#link = link
    this.#within = within
  }

  get server(): ServerInfo {
    return this.#link.server
  }

  get closed(): Promise<Error | undefined> {
    return this.#link.closed
  }

  list(kind: ListKind, signal: AbortSignal): Promise<readonly Payload[]> {
    return this.#within.runInAsyncScope(() => this.#link.list(kind, signal))
  }

  hints(kind: ListKind): CacheHints | undefined {
    return this.#within.runInAsyncScope(() => this.#link.hints?.(kind))
  }

  listProblem(kind: ListKind): string | undefined {
    return this.#within.runInAsyncScope(() => this.#link.listProblem?.(kind))
  }

  call(request: Request, exchange: Exchange): Outcome | Promise<Outcome> {
    // Without a closure, because it is on the path of every request.
    // oxlint-disable-next-line typescript/unbound-method -- it is bound below
    return this.#within.runInAsyncScope(this.#link.call, this.#link, request, exchange)
  }

  notify(notification: NotificationBody): void {
    this.#within.runInAsyncScope(() => this.#link.notify(notification))
  }

  present(callerToken: string): void {
    this.#within.runInAsyncScope(() => this.#link.present?.(callerToken))
  }

  close(): Promise<void> {
    return this.#within.runInAsyncScope(() => this.#link.close())
  }
}
