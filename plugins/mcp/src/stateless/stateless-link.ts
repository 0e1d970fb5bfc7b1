import { createHash } from 'node:crypto'
import {
  type CacheHints,
  clientCapabilitiesFor,
  declares,
  eraOf,
  type Exchange,
  isJsonObject,
  isLogLevel,
  type JsonValue,
  JunctorError,
  type Link,
  type ListKind,
  metaKeys,
  methods,
  type Notification,
  type Outcome,
  type Payload,
  payloadOf,
  printPayload,
  readParameterHeaders,
  relayedCapabilities,
  type Request,
  type Response,
  type ServerInfo,
} from '@junctor/plugin-sdk/link'
import { failedCall, lostCall } from '../link/errors.ts'
import type { LinkOptions } from '../link/link-options.ts'
import { LinkLists } from '../link/link-lists.ts'
import { metaOf } from '../link/meta-of.ts'
import { UpstreamRelay } from '../link/upstream-relay.ts'
import { askStateless } from './ask-stateless.ts'
import { declared, statelessRevision } from './declare.ts'
import type { KnownParameters } from './http-wire.ts'
import { ListHints } from './list-hints.ts'
import { Listening } from './listening.ts'
import { speaksNoMore } from './speaks-no-more.ts'
import { replacedMethods, StatelessCall, type StatelessCallHost } from './stateless-call.ts'
import type { SentRequest, StatelessWire, WireFailure } from './stateless-wire.ts'

/** The way to a server of 2026-07-28, and what it has said about itself. */
export interface StatelessLinkOptions extends LinkOptions {
  readonly wire: StatelessWire
  readonly server: ServerInfo
  /** The arguments that tools want in headers. Absent: the wire has no headers. */
  readonly parameters?: KnownParameters
}

/** The log level of callers that set none: their revision lets the server choose. */
const usualLevel = 'info'

/** How long a list may take that is compared with the last one, in milliseconds. */
const listAgainMs = 10_000

/** -32020: a header does not repeat the body. The client may know an old schema (Streamable HTTP, "Client Behavior"). */
const headerMismatch = -32_020

/**
 * A link to a server of 2026-07-28. It has no session: each request declares what its caller can be asked, and what the
 * server announces comes by a subscription. Callers of older revisions do not notice.
 */
export class StatelessLink implements Link, StatelessCallHost {
  readonly backend: string
  readonly server: ServerInfo
  readonly #options: StatelessLinkOptions
  readonly #relay: UpstreamRelay
  readonly #listening: Listening
  readonly #closed = Promise.withResolvers<Error | undefined>()
  readonly #hints = new Map<ListKind, ListHints>()
  readonly #lists = new LinkLists()
  /** What each list was when it came last: compared when a subscription is opened again. */
  readonly #digests = new Map<ListKind, string>()
  #level: JsonValue | undefined
  /** The question whether the server speaks this revision no more: one at a time, for all calls that want to know. */
  #outdated: Promise<boolean> | undefined
  #isOver = false

  constructor(options: StatelessLinkOptions) {
    const { backend, scope, client, log, wire, server } = options
    this.backend = backend
    this.server = server
    this.#options = options
    this.#relay = new UpstreamRelay({ scope, client, log, correlates: wire.correlates })
    this.#listening = new Listening({
      wire,
      server,
      log,
      notify: (notification) => client.notify(notification),
      haveChanged: (kinds) => this.#haveChanged(kinds),
    })
    this.#level = declares(server.capabilities, ['logging']) ? usualLevel : undefined
    void wire.closed.then((error) => this.#end(error))
  }

  get closed(): Promise<Error | undefined> {
    return this.#closed.promise
  }

  /** Begins to listen for what the server announces. */
  start(): void {
    this.#listening.start()
  }

  async list(kind: ListKind, signal: AbortSignal): Promise<readonly Payload[]> {
    const { wire } = this.#options
    const hints = new ListHints()
    const listed = await this.#lists.list(
      kind,
      this.server,
      (method, params) => askStateless(wire, method, params, signal),
      (page) => hints.add(page),
    )
    this.#hints.set(kind, hints)
    this.#digests.set(kind, digestOf(listed))
    return kind === 'tools' ? this.#learned(listed) : listed
  }

  hints(kind: ListKind): CacheHints | undefined {
    return this.#hints.get(kind)?.least
  }

  listProblem(kind: ListKind): string | undefined {
    return this.#lists.problem(kind)
  }

  call(request: Request, exchange: Exchange): Outcome | Promise<Outcome> {
    const { backend } = this
    if (this.#isOver) return lostCall(request, exchange, 'unsent', backend)
    if (exchange.ended !== undefined) return failedCall(request, exchange, 'cancelled', { backend })
    if (replacedMethods.has(request.method)) return this.#replaced(request, exchange)
    const call = new StatelessCall(
      this,
      request,
      exchange,
      exchange.wantsProgress ? this.#relay.nextToken() : undefined,
    )
    this.#relay.began(call)
    call.start()
    exchange.onEnd(call)
    return call.outcome
  }

  /** This revision defines no notification to servers besides cancellations. */
  notify(): void {}

  async close(): Promise<void> {
    this.#end(undefined)
    await this.#options.wire.close()
  }

  /** Called with a notification that names no request of this link. */
  unrelated(notification: Notification): void {
    this.#relay.notification(notification, undefined)
  }

  send(call: StatelessCall, params: Payload | undefined): SentRequest {
    const { exchange, progressToken, request } = call
    const { context } = exchange
    const logLevel = eraOf(context.revision) === 'modern' ? levelIn(request.params) : this.#level
    const sent = declared(params, {
      capabilities: clientCapabilitiesFor(statelessRevision, relayedCapabilities(context.client.capabilities)),
      progressToken,
      logLevel,
      trace: context.trace,
    })
    return this.#options.wire.send(request.method, sent, call)
  }

  related(notification: Notification, call: StatelessCall): void {
    this.#relay.notification(notification, call.exchange)
  }

  async learns(call: StatelessCall, response: Response): Promise<boolean> {
    const isMismatch = response.kind === 'error' && response.error.code === headerMismatch
    if (!isMismatch || this.#options.parameters === undefined || call.request.method !== methods.toolsCall) return false
    try {
      await this.list('tools', call.exchange.signal)
      return true
    } catch {
      return false
    }
  }

  lost({ problem, loss }: WireFailure): void {
    if (problem !== undefined) this.#options.log.warn('a call failed on its way', { failure: problem })
    if (loss !== 'unsent') return
    this.#leave(new JunctorError('BACKEND_UNREACHABLE', `Backend "${this.backend}" cannot be reached`))
  }

  isOutdated(): Promise<boolean> {
    this.#outdated ??= this.#askAgain()
    return this.#outdated
  }

  finished(call: StatelessCall): void {
    this.#relay.finished(call)
  }

  /** Requests of older revisions that this one has replaced. */
  #replaced(request: Request, exchange: Exchange): Outcome | Promise<Outcome> {
    const value = request.params?.value()
    const { level, uri } = isJsonObject(value) ? value : {}
    if (request.method === methods.loggingSetLevel) this.#level = level
    if (typeof uri !== 'string') return empty
    if (request.method === methods.resourcesSubscribe) return this.#subscribe(uri, request, exchange)
    if (request.method === methods.resourcesUnsubscribe) return this.#listening.remove(uri).then(() => empty)
    return empty
  }

  async #subscribe(uri: string, request: Request, exchange: Exchange): Promise<Outcome> {
    if (await this.#listening.add(uri)) return empty
    return failedCall(request, exchange, 'unknown_resource', { backend: this.backend, name: uri })
  }

  /** Remembers which arguments tools want in headers, and leaves out those that say it wrongly. */
  #learned(tools: readonly Payload[]): readonly Payload[] {
    const { parameters, log } = this.#options
    if (parameters === undefined) return tools
    return tools.filter((tool) => {
      const value = tool.value()
      const { name, inputSchema } = isJsonObject(value) ? value : {}
      if (typeof name !== 'string') return true
      const read = readParameterHeaders(inputSchema)
      if (read.kind === 'headers') parameters.set(name, read.headers)
      else log.warn('a tool is left out, because its x-mcp-header is not valid', { tool: name, why: read.why })
      return read.kind === 'headers'
    })
  }

  /** Lists that cannot be requested now may have changed. */
  async #haveChanged(kinds: readonly ListKind[]): Promise<boolean> {
    const before = kinds.map((kind) => this.#digests.get(kind))
    try {
      await Promise.all(kinds.map((kind) => this.list(kind, AbortSignal.timeout(listAgainMs))))
    } catch {
      return true
    }
    return kinds.some((kind, index) => this.#digests.get(kind) !== before[index])
  }

  async #askAgain(): Promise<boolean> {
    const isOutdated = await speaksNoMore(this.#options.wire)
    this.#outdated = undefined
    if (!isOutdated) return false
    this.#options.log.info('the server speaks 2026-07-28 no more; it is opened again')
    this.#leave(new JunctorError('BACKEND_REFUSED', 'The server speaks 2026-07-28 no more'))
    return true
  }

  /** The connection is over, and with it all calls. */
  #end(error: Error | undefined): void {
    this.#relay.close()
    this.#leave(error)
  }

  /** Nothing more is sent. Calls on their way end by themselves: a server that stops may still answer them. */
  #leave(error: Error | undefined): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#listening.close()
    this.#closed.resolve(error)
  }
}

function digestOf(listed: readonly Payload[]): string {
  const hash = createHash('sha256')
  for (const item of listed) hash.update(printPayload(item))
  return hash.digest('base64')
}

const empty: Outcome = { kind: 'complete', result: payloadOf({}) }

/** The log level that a request of this revision asks for. */
function levelIn(params: Payload | undefined): JsonValue | undefined {
  const level = metaOf(params)?.[metaKeys.logLevel]
  return isLogLevel(level) ? level : undefined
}
