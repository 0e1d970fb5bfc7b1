import type { ExchangedTokens, MissingToken } from '@junctor/credentials'
import {
  type Client,
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
import { isConnect } from './connecting.ts'
import { LateConnection } from './late-connection.ts'
import { type LateCalls, lateLink } from './late-link.ts'
import type { OpenWithTokens } from './open-with-tokens.ts'
import { describeTokenNeeded } from './unconnected-server.ts'

/** What the link of a caller whose token is exchanged needs. */
export interface ExchangingLinkParts {
  readonly name: string
  readonly tokens: ExchangedTokens
  readonly open: OpenWithTokens
  readonly log: Log
  /** The key of the principal that owns the link. */
  readonly principal: string
  readonly scope: Scope
  readonly client: Client
}

/**
 * Opens the link of a caller whose token is exchanged. Without a token it stays unconnected, and connects with the next one. A
 * token that is missing is not a fault of the server, so that this rejects only when the server does not answer.
 */
export async function openExchangingLink(parts: ExchangingLinkParts, signal: AbortSignal): Promise<Link> {
  const connection = new LateConnection(parts.name, parts.client, parts.log)
  const calls = new ExchangingCalls(parts, connection)
  try {
    if ((await calls.missing(undefined)) === undefined) await calls.connect(signal)
    return lateLink(connection, calls)
  } catch (error) {
    await connection.close()
    throw error
  }
}

class ExchangingCalls implements LateCalls {
  readonly #parts: ExchangingLinkParts
  readonly #connection: LateConnection

  constructor(parts: ExchangingLinkParts, connection: LateConnection) {
    this.#parts = parts
    this.#connection = connection
  }

  /** Why there is no token for a request. It is logged here, because the server is not asked and can give no reason. */
  async missing(callerToken: string | undefined): Promise<MissingToken | undefined> {
    const missing = await this.#parts.tokens.missing(callerToken)
    if (missing?.kind === 'refused') {
      this.#parts.log.info('an authorization server issues no token for a caller', { error: missing.error })
    } else if (missing?.kind === 'unavailable') {
      this.#parts.log.warn('the token of a caller cannot be exchanged', { error: missing.cause })
    }
    return missing
  }

  /** Opens the link to the server. */
  connect(signal?: AbortSignal): Promise<void> {
    return this.#connection.connect((own) => this.#connect(own), signal)
  }

  async list(kind: ListKind, signal: AbortSignal): Promise<readonly Payload[]> {
    const { link } = this.#connection
    if (link !== undefined) return link.list(kind, signal)
    return kind === 'tools' ? [describeTokenNeeded(this.#parts.name)] : []
  }

  async call(request: Request, exchange: Exchange): Promise<Outcome> {
    const { name: backend, principal, tokens } = this.#parts
    const { callerToken } = exchange.context
    if (exchange.context.principal.key !== principal) return failedCall(request, exchange, 'forbidden', { backend })
    if (callerToken !== undefined) tokens.present(callerToken)
    const missing = await this.missing(callerToken)
    if (missing !== undefined) return this.#refuse(request, exchange, missing)
    const wasConnected = this.#connection.link !== undefined
    if (!wasConnected) {
      try {
        await this.connect()
      } catch {
        return failedCall(request, exchange, 'backend_unavailable', { backend })
      }
    }
    const { link } = this.#connection
    if (link === undefined) return failedCall(request, exchange, 'backend_unavailable', { backend })
    if (!wasConnected && isConnect(request)) return connected(backend)
    return link.call(request, exchange)
  }

  present(callerToken: string): void {
    this.#parts.tokens.present(callerToken)
    if (this.#connection.link === undefined) void this.#tryAgain()
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const { open, tokens, scope, client } = this.#parts
    await this.#connection.use(await open(tokens, { scope, client }, signal))
  }

  /** Connects with another token, without a call that waits for it. */
  async #tryAgain(): Promise<void> {
    try {
      if ((await this.missing(undefined)) === undefined) await this.connect()
    } catch (error) {
      this.#parts.log.warn('a caller has another token, but the server does not answer', { error })
    }
  }

  #refuse(request: Request, exchange: Exchange, missing: MissingToken): Outcome {
    // Settings hold for the server as soon as it is connected. Those of the link that this one replaces come first.
    if (this.#connection.link === undefined) this.#connection.keep(request)
    if (request.method === methods.loggingSetLevel) return { kind: 'complete', result: payloadOf({}) }
    const { name: backend } = this.#parts
    return failedCall(request, exchange, situations[missing.kind], { backend, ...messageFor(missing, backend) })
  }
}

const situations = {
  none: 'token_needed',
  expired: 'token_needed',
  refused: 'forbidden',
  unavailable: 'backend_unavailable',
} as const

/** The message for the caller. Absent: the message of the catalogue for the situation. */
function messageFor(missing: MissingToken, backend: string): { readonly message?: string } {
  const issuesNone = `The authorization server issues no token for ${backend}`
  if (missing.kind === 'refused') return { message: `${issuesNone} to this caller: ${missing.error}` }
  if (missing.kind === 'unavailable') return { message: `${issuesNone} now` }
  if (missing.kind === 'none') return {}
  return { message: `Your access token has expired, and ${backend} is called with one that is made from it` }
}

function connected(backend: string): Outcome {
  const text = `${backend} is connected. List its tools again.`
  return { kind: 'complete', result: payloadOf({ content: [{ type: 'text', text }] }) }
}
