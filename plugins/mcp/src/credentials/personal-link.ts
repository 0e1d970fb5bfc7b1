import { randomUUID } from 'node:crypto'
import type { MissingGrant, PersonCredentials, PersonTokens } from '@junctor/credentials'
import type { Person } from '@junctor/plugin-sdk'
import {
  type Client,
  elicitationModes,
  type Exchange,
  type Link,
  type ListKind,
  type Log,
  methods,
  type NotificationBody,
  type Outcome,
  type Payload,
  payloadOf,
  type Request,
  requestId,
  type Scope,
  type ServerInfo,
  type CacheHints,
} from '@junctor/plugin-sdk/link'
import { failedCall } from '../errors.ts'
import { connectMs, isConnect, listChanges, nameIn } from './connecting.ts'
import type { OpenWithTokens } from './open-with-tokens.ts'
import { createSessionSettings } from '../session-settings.ts'
import { settingExchange } from './setting-exchange.ts'
import { connectTool, describeConnect, unconnectedServer } from './unconnected-server.ts'

export interface PersonalLinkParts {
  readonly name: string
  readonly people: PersonCredentials
  readonly open: OpenWithTokens
  readonly log: Log
  readonly person: Person
  readonly scope: Scope
  readonly client: Client
}

/** Opens the link of a person. Until the person has agreed, it offers a tool that leads there. */
export async function openPersonalLink(parts: PersonalLinkParts, signal: AbortSignal): Promise<Link> {
  const link = new PersonalLink(parts)
  try {
    if ((await parts.people.connectedSince(parts.person)) !== undefined) await link.connect(signal)
    return link
  } catch (error) {
    await link.close()
    throw error
  }
}

class PersonalLink implements Link {
  readonly #parts: PersonalLinkParts
  readonly #tokens: PersonTokens
  readonly #closed = Promise.withResolvers<Error | undefined>()
  /** What the session has set at the server, for the link after another grant. */
  readonly #settings = createSessionSettings()
  #real: Link | undefined
  #connecting: Promise<void> | undefined
  readonly #unwatch: () => void
  /** When the person had agreed before the latest link was given out. */
  #since: number | undefined
  /** Elicitations that clients wait for. */
  readonly #elicitations = new Set<string>()
  /** Whether the server has a tool of its own with the name of ours, which then is not offered. */
  #hasOwnConnect = false
  #over = false

  constructor(parts: PersonalLinkParts) {
    this.#parts = parts
    this.#tokens = parts.people.tokens(parts.person)
    this.#unwatch = parts.people.watch(() => void this.#follow())
  }

  get server(): ServerInfo {
    return this.#real?.server ?? unconnectedServer(this.#parts.name)
  }

  get closed(): Promise<Error | undefined> {
    return this.#closed.promise
  }

  /** Opens the link to the server. When the person has to agree after all, this link stays unconnected. */
  connect(signal: AbortSignal): Promise<void> {
    this.#connecting ??= this.#connect(signal).finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  async list(kind: ListKind, signal: AbortSignal): Promise<readonly Payload[]> {
    const listed = (await this.#listReal(kind, signal)) ?? []
    if (kind !== 'tools') return listed
    this.#hasOwnConnect = listed.some((tool) => nameIn(tool) === connectTool)
    return this.#hasOwnConnect ? listed : [...listed, describeConnect(this.#parts.name)]
  }

  hints(kind: ListKind): CacheHints | undefined {
    return this.#real?.hints?.(kind)
  }

  listProblem(kind: ListKind): string | undefined {
    return this.#real?.listProblem?.(kind)
  }

  async call(request: Request, exchange: Exchange): Promise<Outcome> {
    const { name: backend, person, people } = this.#parts
    if (exchange.context.principal.key !== person.principal) {
      return failedCall(request, exchange, 'forbidden', { backend })
    }
    if (this.#real === undefined && (await people.connectedSince(person)) !== undefined) {
      try {
        // Others wait for it too: the end of this call is not the end of it.
        await this.connect(AbortSignal.timeout(connectMs))
      } catch {
        return failedCall(request, exchange, 'backend_unavailable', { backend })
      }
    }
    const real = this.#real
    if (real === undefined) return this.#answerUnconnected(request, exchange)
    if (isConnect(request) && !this.#hasOwnConnect) return this.#showConnected(exchange)
    const outcome = await real.call(request, exchange)
    if (outcome.kind === 'complete') this.#settings.note(request)
    if (outcome.kind !== 'error') return outcome
    const missing = this.#tokens.takeMissing()
    if (missing === undefined && this.#real === real) return outcome
    if (missing?.scope === undefined) this.#disconnect(real)
    return this.#ask(request, exchange, missing)
  }

  notify(notification: NotificationBody): void {
    this.#real?.notify(notification)
  }

  async close(): Promise<void> {
    this.#over = true
    this.#unwatch()
    this.#closed.resolve(undefined)
    await this.#real?.close()
  }

  /** What the server lists. Undefined: the person has to agree first. */
  async #listReal(kind: ListKind, signal: AbortSignal): Promise<readonly Payload[] | undefined> {
    const real = this.#real
    try {
      return await real?.list(kind, signal)
    } catch (error) {
      if (this.#tokens.takeMissing() === undefined) throw error
      this.#disconnect(real)
      return undefined
    }
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const { open, scope, client } = this.#parts
    try {
      const real = await open(this.#tokens, { scope, client }, signal)
      if (this.#over) await real.close()
      else {
        this.#real = real
        void this.#watch(real)
        await this.#restore(real)
        this.#changed()
      }
    } catch (error) {
      if (this.#tokens.takeMissing() === undefined) throw error
    }
  }

  /** Sets at the server what was set before an earlier grant ended. */
  async #restore(real: Link): Promise<void> {
    for (const { method, params } of this.#settings.requests()) {
      const request: Request = { kind: 'request', dialect: '2.0', id: requestId(0), method, params }
      const outcome = await real.call(request, settingExchange(this.#parts.client))
      if (outcome.kind === 'error') this.#parts.log.warn('a setting could not be restored', { method })
    }
  }

  /** The end of the link to the server is that of this link, unless it was given up for want of a grant. */
  async #watch(real: Link): Promise<void> {
    const error = await real.closed
    if (this.#real !== real) return
    this.#unwatch()
    this.#closed.resolve(error)
  }

  #disconnect(real: Link | undefined): void {
    if (real === undefined || this.#real !== real) return
    this.#real = undefined
    void real.close()
    this.#changed()
  }

  #changed(): void {
    for (const method of listChanges) this.#parts.client.notify({ method, params: undefined })
  }

  #answerUnconnected(request: Request, exchange: Exchange): Promise<Outcome> | Outcome {
    // They hold for the server as soon as the person has agreed.
    if (request.method === methods.loggingSetLevel || request.method === methods.resourcesUnsubscribe) {
      this.#settings.note(request)
      return { kind: 'complete', result: payloadOf({}) }
    }
    return this.#ask(request, exchange, undefined)
  }

  /** Answers with the links to where the person ends the access, or agrees again, and to all their accounts. */
  async #showConnected({ context }: Exchange): Promise<Outcome> {
    const { name, people, person } = this.#parts
    const { subject } = context.principal
    const [url, all] = await Promise.all([people.offer(person, subject, undefined), people.offerAll(person, subject)])
    const text =
      `${name} is connected. List its tools again. To end the access, the user opens this link:\n\n${url}\n\n` +
      `This link shows all accounts that the user has connected, and ends the access to each or to all:\n\n${all}`
    return { kind: 'complete', result: payloadOf({ content: [{ type: 'text', text }] }) }
  }

  /** Answers with a link to where the person agrees. */
  async #ask(request: Request, exchange: Exchange, missing: MissingGrant | undefined): Promise<Outcome> {
    const { name, people, person, log } = this.#parts
    const { principal, client } = exchange.context
    this.#since = await people.connectedSince(person)
    const url = await people.offer(person, principal.subject, missing?.scope)
    log.info('a person has to agree', { tenant: person.tenant, isStepUp: missing?.scope !== undefined })
    const message = `${name} is used with your own account. Open the link and agree. It works once, for ten minutes.`
    const opensUrls = elicitationModes(client.capabilities['elicitation']).url
    if (!opensUrls && request.method === methods.toolsCall) {
      const text = `${message}\n\n${url}\n\nThen call the tool again.`
      const isError = !isConnect(request)
      return { kind: 'complete', result: payloadOf({ content: [{ type: 'text', text }], ...(isError && { isError }) }) }
    }
    const elicitationId = randomUUID()
    if (opensUrls) this.#elicitations.add(elicitationId)
    const data = { elicitations: [{ mode: 'url', elicitationId, url, message }] }
    return failedCall(request, exchange, 'consent_required', { backend: name, data })
  }

  /** Follows what the person has granted or ended, at any node. */
  async #follow(): Promise<void> {
    const { people, person, client, log } = this.#parts
    try {
      const since = await people.connectedSince(person)
      if (this.#over) return
      if (since === undefined) return this.#disconnect(this.#real)
      if (this.#real === undefined) await this.connect(AbortSignal.timeout(connectMs))
      if (since === this.#since) return
      this.#since = since
      for (const elicitationId of this.#elicitations) {
        client.notify({ method: methods.notificationsElicitationComplete, params: payloadOf({ elicitationId }) })
      }
      this.#elicitations.clear()
    } catch (error) {
      log.warn('a person has agreed, but the server does not answer', { error })
    }
  }
}
