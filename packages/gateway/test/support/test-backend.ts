import type { Backend, CacheHints, Link, ListKind, Scope, ServerInfo } from '@junctor/contracts'
import type { Client, Exchange, NotificationBody, Outcome } from '@junctor/exchange'
import { type Payload, payloadOf, type Request } from '@junctor/jsonrpc'
import { backendDefaults, type BackendEntry } from '../../src/shared/backend-entry.ts'

/** The behaviour of a backend in memory. A test may change it at any time. */
export interface Behaviour {
  /** Called before an open: rejects to refuse it, waits to be slow. */
  opening: (signal: AbortSignal) => Promise<void>
  /** Called before a close. */
  closing: () => Promise<void>
  list: (kind: ListKind, scope: Scope, signal: AbortSignal) => Promise<readonly Payload[]>
  call: (request: Request, exchange: Exchange) => Outcome | Promise<Outcome>
  server: ServerInfo
  /** Default: it declares nothing. */
  hints?: (kind: ListKind) => CacheHints | undefined
}

/** A link of a backend in memory. */
export class TestLink implements Link {
  readonly scope: Scope
  readonly client: Client
  readonly requests: Request[] = []
  readonly notifications: NotificationBody[] = []
  readonly closed: Promise<Error | undefined>
  open = true
  readonly #behaviour: Behaviour
  readonly #resolve: (error: Error | undefined) => void

  constructor(behaviour: Behaviour, scope: Scope, client: Client) {
    const { promise, resolve } = Promise.withResolvers<Error | undefined>()
    this.#behaviour = behaviour
    this.scope = scope
    this.client = client
    this.closed = promise
    this.#resolve = resolve
  }

  get server(): ServerInfo {
    return this.#behaviour.server
  }

  list(kind: ListKind, signal: AbortSignal): Promise<readonly Payload[]> {
    return this.#behaviour.list(kind, this.scope, signal)
  }

  hints(kind: ListKind): CacheHints | undefined {
    return this.#behaviour.hints?.(kind)
  }

  call(request: Request, exchange: Exchange): Outcome | Promise<Outcome> {
    this.requests.push(request)
    return this.#behaviour.call(request, exchange)
  }

  notify(notification: NotificationBody): void {
    this.notifications.push(notification)
  }

  async close(): Promise<void> {
    await this.#behaviour.closing()
    this.open = false
    this.#resolve(undefined)
  }

  /** Ends the link like a crash. */
  break(error: Error = new Error('crashed')): void {
    this.open = false
    this.#resolve(error)
  }
}

/** A backend in memory, its entry, and all links that it has opened. */
export interface TestBackend {
  readonly behaviour: Behaviour
  readonly entry: BackendEntry
  readonly links: TestLink[]
  /** The links that are open now. */
  readonly open: readonly TestLink[]
}

/** What a test backend says of itself, unless the test changes its behaviour. */
export const testServer: ServerInfo = {
  revision: '2025-11-25',
  capabilities: { tools: { listChanged: true }, resources: { listChanged: true, subscribe: true }, logging: {} },
  info: { name: 'test', version: '1' },
  instructions: undefined,
}

/** A backend named `one` that offers `echo`. Each session has its own link, unless the entry sets another isolation. */
export function createTestBackend(entry: Partial<BackendEntry> = {}, about: Partial<Backend> = {}): TestBackend {
  const behaviour: Behaviour = {
    opening: async () => {},
    closing: async () => {},
    list: async (kind) => (kind === 'tools' ? [payloadOf({ name: 'echo' })] : []),
    call: () => ({ kind: 'complete', result: payloadOf({}) }),
    server: testServer,
  }
  const links: TestLink[] = []
  const backend: Backend = {
    name: 'one',
    correlates: true,
    async open(scope, client, signal) {
      await behaviour.opening(signal)
      const link = new TestLink(behaviour, scope, client)
      links.push(link)
      return link
    },
    close: async () => {},
    ...about,
  }
  return {
    behaviour,
    links,
    entry: { ...backendDefaults, prefix: backend.name, ...entry, backend },
    get open() {
      return links.filter((link) => link.open)
    },
  }
}

/** The scope of a session without capabilities. */
export function sessionScope(id: string, tenant = 'default'): Scope {
  return { tenant, principal: 'local', session: id, capabilities: {}, key: `session ${id}` }
}
