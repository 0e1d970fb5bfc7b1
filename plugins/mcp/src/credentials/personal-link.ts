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
  type Outcome,
  type Payload,
  payloadOf,
  type Request,
  type Scope,
} from '@junctor/plugin-sdk/link'
import { failedCall } from '../link/errors.ts'
import { isConnect, nameIn } from './connecting.ts'
import { LateConnection } from './late-connection.ts'
import { type LateCalls, lateLink } from './late-link.ts'
import type { OpenWithTokens } from './open-with-tokens.ts'
import { connectTool, describeConnect } from './unconnected-server.ts'

/** What the link of a person needs. */
export interface PersonalLinkParts {
  readonly name: string
  readonly people: PersonCredentials
  readonly open: OpenWithTokens
  readonly log: Log
  readonly person: Person
  readonly scope: Scope
  readonly client: Client
}

/** The methods that set something of a session at its server. */
const settings: ReadonlySet<string> = new Set([
  methods.loggingSetLevel,
  methods.resourcesSubscribe,
  methods.resourcesUnsubscribe,
])

/** How many elicitations are kept. */
const mostElicitations = 64

/** Opens the link of a person. Until the person has agreed, it offers a tool that leads there. */
export async function openPersonalLink(parts: PersonalLinkParts, signal: AbortSignal): Promise<Link> {
  const connection = new LateConnection(parts.name, parts.client, parts.log)
  const calls = new PersonalCalls(parts, connection)
  try {
    if ((await parts.people.connectedSince(parts.person)) !== undefined) await calls.connect(signal)
    return lateLink(connection, calls)
  } catch (error) {
    await connection.close()
    throw error
  }
}

class PersonalCalls implements LateCalls {
  readonly #parts: PersonalLinkParts
  /** The tokens for the latest session at the server. */
  #tokens: PersonTokens
  readonly #connection: LateConnection
  /** What the person has to agree to before the server can be connected or listed. Undefined: nothing is known. */
  #missing: MissingGrant | undefined
  /** When the person had agreed before the latest link was given out. */
  #since: number | undefined
  /** The newest elicitations that clients wait for, oldest first. */
  readonly #elicitations = new Set<string>()
  /** Whether the server has a tool of its own with the name of ours, which then is not offered. */
  #hasOwnConnect = false

  constructor(parts: PersonalLinkParts, connection: LateConnection) {
    this.#parts = parts
    this.#tokens = parts.people.tokens(parts.person)
    this.#connection = connection
    void connection.closed.then(parts.people.watch(() => void this.#follow()))
  }

  /** Opens the link to the server. When the person has to agree after all, this link stays unconnected. */
  connect(signal?: AbortSignal): Promise<void> {
    return this.#connection.connect((own) => this.#connect(own), signal)
  }

  async list(kind: ListKind, signal: AbortSignal): Promise<readonly Payload[]> {
    const listed = (await this.#listConnected(kind, signal)) ?? []
    if (kind !== 'tools') return listed
    this.#hasOwnConnect = listed.some((tool) => nameIn(tool) === connectTool)
    return this.#hasOwnConnect ? listed : [...listed, describeConnect(this.#parts.name)]
  }

  async call(request: Request, exchange: Exchange): Promise<Outcome> {
    const { name: backend, person, people } = this.#parts
    if (exchange.context.principal.key !== person.principal) {
      return failedCall(request, exchange, 'forbidden', { backend })
    }
    if (this.#connection.link === undefined && (await people.connectedSince(person)) !== undefined) {
      try {
        await this.connect()
      } catch {
        return failedCall(request, exchange, 'backend_unavailable', { backend })
      }
    }
    const { link } = this.#connection
    if (link === undefined) return this.#answerUnconnected(request, exchange)
    if (isConnect(request) && !this.#hasOwnConnect) return this.#answerConnect(request, exchange)
    return this.#callConnected(link, request, exchange)
  }

  async #callConnected(link: Link, request: Request, exchange: Exchange): Promise<Outcome> {
    const tokens = this.#tokens
    // What was refused before is not of this call.
    tokens.missing()
    const outcome = await this.#connection.call(link, request, exchange)
    if (outcome.kind === 'complete' && settings.has(request.method)) {
      this.#connection.settings.note(request)
      // The link in use may have been opened before, and lack it.
      if (this.#connection.link !== link) return this.call(request, exchange)
    }
    if (outcome.kind !== 'error') return outcome
    if (tokens.wereReplacedFor(exchange)) {
      this.#connection.replace(link)
      // Unless it was cut, the server has not run it.
      return outcome.loss === 'cut' ? outcome : this.call(request, exchange)
    }
    // Requests over HTTP+SSE do not name their call.
    const missing = tokens.missing(exchange) ?? tokens.missing()
    if (missing === undefined) return this.#answerFailed(link, request, exchange, outcome)
    if (missing.scope === undefined) this.#connection.giveUp(link)
    return this.#ask(request, exchange, missing)
  }

  /** A call may have failed because its link was given up. */
  async #answerFailed(link: Link, request: Request, exchange: Exchange, outcome: Outcome): Promise<Outcome> {
    const { people, person } = this.#parts
    if (this.#connection.link === link || (await people.connectedSince(person)) !== undefined) return outcome
    return this.#ask(request, exchange, undefined)
  }

  /** What the server lists. Undefined: the person has to agree first. */
  async #listConnected(kind: ListKind, signal: AbortSignal): Promise<readonly Payload[] | undefined> {
    const { link } = this.#connection
    const tokens = this.#tokens
    try {
      return await link?.list(kind, signal)
    } catch (error) {
      if (tokens.wereReplacedFor()) {
        this.#connection.replace(link)
        await this.connect(signal)
        return this.#listConnected(kind, signal)
      }
      this.#missing = tokens.missing()
      if (this.#missing === undefined) throw error
      if (this.#missing.scope === undefined) this.#connection.giveUp(link)
      return undefined
    }
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const { open, people, person, scope, client } = this.#parts
    const tokens = people.tokens(person)
    this.#tokens = tokens
    try {
      await this.#connection.use(await open(tokens, { scope, client }, signal))
    } catch (error) {
      if (tokens.wereReplacedFor()) return this.#connect(signal)
      this.#missing = tokens.missing()
      if (this.#missing === undefined) throw error
    }
  }

  #answerUnconnected(request: Request, exchange: Exchange): Promise<Outcome> | Outcome {
    // Settings hold for the server as soon as the person has agreed. Those of the link that this one replaces come first.
    this.#connection.keep(request)
    if (request.method === methods.loggingSetLevel || request.method === methods.resourcesUnsubscribe) {
      return { kind: 'complete', result: payloadOf({}) }
    }
    return this.#ask(request, exchange, this.#missing)
  }

  /** Answers with the links to where the person ends the access, or agrees again, and to all their accounts. */
  async #answerConnect(request: Request, exchange: Exchange): Promise<Outcome> {
    if (this.#missing !== undefined) return this.#ask(request, exchange, this.#missing)
    const { context } = exchange
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
    if (opensUrls) this.#await(elicitationId)
    const data = { elicitations: [{ mode: 'url', elicitationId, url, message }] }
    return failedCall(request, exchange, 'consent_required', { backend: name, data })
  }

  /**
   * Keeps an elicitation, so that the client gets a notification of its end. Only the newest are kept: a client may be
   * asked any number of times.
   */
  #await(elicitationId: string): void {
    this.#elicitations.add(elicitationId)
    const [oldest] = this.#elicitations
    if (oldest !== undefined && this.#elicitations.size > mostElicitations) this.#elicitations.delete(oldest)
  }

  /** Follows what the person has granted or ended, at any node. */
  async #follow(): Promise<void> {
    const { people, person, client, log } = this.#parts
    try {
      const since = await people.connectedSince(person)
      if (this.#connection.isClosed) return
      if (since === undefined) return this.#connection.giveUpAll()
      if (since !== this.#since && this.#missing !== undefined) {
        this.#missing = undefined
        this.#connection.notifyLists()
      }
      const { link } = this.#connection
      if (link !== undefined && (await this.#tokens.areReplaced())) this.#connection.replace(link)
      if (this.#connection.link === undefined) await this.connect()
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
