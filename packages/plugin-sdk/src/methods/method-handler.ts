import type { Client, Exchange, Outcome } from '@junctor/exchange'
import type { Log, Scope } from '@junctor/contracts'
import { isJsonObject, type JsonObject, type Request } from '@junctor/jsonrpc'
import { mcpProfile, wireError, type ErrorDetails, type LogLevel, type Situation } from '@junctor/protocol'
import { ClientRefusal } from '../client-refusal.ts'
import type { Catalogue } from '../catalogue.ts'
import { ExchangeContext, type Logging } from '../exchange-context.ts'

/** The state of an open link that the methods read and change. */
export interface LinkState extends Logging {
  readonly scope: Scope
  readonly client: Client
  /** Set by `logging/setLevel`. */
  level: LogLevel | undefined
  /** Subscribed URIs, each with the function that ends the subscription. */
  readonly subscriptions: Map<string, () => void>
}

/** One request while a backend answers it. */
export class MethodCall {
  readonly request: Request
  readonly params: JsonObject
  readonly context: ExchangeContext
  readonly catalogue: Catalogue
  readonly link: LinkState
  readonly log: Log

  constructor(request: Request, exchange: Exchange, catalogue: Catalogue, link: LinkState, log: Log) {
    const params = request.params?.value()
    this.request = request
    this.params = isJsonObject(params) ? params : {}
    this.context = new ExchangeContext(exchange, link)
    this.catalogue = catalogue
    this.link = link
    this.log = log
  }

  /**
   * Logs what a handler threw. A handler that fails because its request has ended is not logged; one that fails because the
   * client gave no answer is no fault of the plugin, and logged as `debug`.
   */
  logFailure(message: string, fields: { readonly error: unknown; readonly [name: string]: unknown }): void {
    if (this.context.exchange.ended !== undefined) return
    if (fields.error instanceof ClientRefusal) this.log.debug(message, fields)
    else this.log.error(message, fields)
  }

  /** An error from the catalogue, in the form for this caller's revision. `data.reason` names the situation. */
  error(situation: Situation, details: ErrorDetails): Extract<Outcome, { kind: 'error' }> {
    const { revision } = this.context.exchange.context
    return {
      kind: 'error',
      error: wireError(situation, { revision, dialect: this.request.dialect, profile: mcpProfile }, details),
    }
  }
}

/** Answers the requests of one method. An error that it throws is logged and answered as an internal error. */
export type MethodHandler = (call: MethodCall) => Outcome | Promise<Outcome>
