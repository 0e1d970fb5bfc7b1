import {
  type AskOptions,
  createExchange,
  type ExchangeEvent,
  type ExchangeInit,
  type Host,
  type OpenExchange,
  type Outlet,
  type View,
} from '@junctor/exchange'
import { type Answer, type JsonValue, payloadOf, type Request, requestId } from '@junctor/jsonrpc'
import { mcpProfile, noExtensions } from '@junctor/protocol'

/** A request with the given members. */
export function createRequest(method: string, params?: JsonValue, id: string | number = 1): Request {
  const payload = params === undefined ? undefined : payloadOf(params)
  return { kind: 'request', dialect: '2.0', id: requestId(id), method, params: payload }
}

/** An exchange whose client is a test: it records every event, answers asks, and may read slowly. */
export interface RecordedExchange {
  readonly exchange: OpenExchange
  /** The events that the client has received. */
  readonly events: readonly ExchangeEvent[]
  /** The unanswered asks, oldest first, with their options. */
  readonly asks: ReadonlyMap<string, AskOptions | undefined>
  /** The client stops reading until `resume`. */
  stall(): void
  resume(): void
}

/** What a test changes of the usual exchange. */
export interface RecordedExchangeOptions {
  readonly request?: Request
  readonly init?: Partial<ExchangeInit>
}

/** Opens an exchange with a clock that always shows 0, of a session `s_test` at 2025-11-25, with a deadline of 30 s. */
export function recordExchange(options: RecordedExchangeOptions = {}): RecordedExchange {
  const request = options.request ?? createRequest('tools/call', { name: 'echo' })
  const host = new TestHost()
  const outlet = new RecordingOutlet(request)
  const exchange = createExchange({ ...sampleInit, request, ...options.init }, host)
  exchange.attach(outlet)
  return {
    exchange,
    events: outlet.events,
    asks: host.asks,
    stall: () => outlet.stall(),
    resume: () => outlet.resume(),
  }
}

const sampleInit: Omit<ExchangeInit, 'request'> = {
  id: 'testnode-1',
  context: {
    tenant: 'default',
    principal: { issuer: 'local', subject: 'test', key: 'local|test' },
    session: 's_test',
    revision: '2025-11-25',
    client: { info: { name: 'test', version: '1' }, capabilities: { roots: {} } },
    trace: undefined,
  },
  deadline: 30_000,
  attempt: 1,
}

class TestHost implements Host {
  readonly asks = new Map<string, AskOptions | undefined>()
  #count = 1

  nextId(): string {
    this.#count += 1
    return `testnode-${this.#count}`
  }

  now(): number {
    return 0
  }

  asked(askId: string, _exchange: OpenExchange, options: AskOptions | undefined): void {
    this.asks.set(askId, options)
  }

  answered(askId: string, _answer: Answer): void {
    this.asks.delete(askId)
  }

  closed(): void {}
}

class RecordingOutlet implements Outlet {
  readonly view: View
  readonly events: ExchangeEvent[] = []
  #stalled: PromiseWithResolvers<void> | undefined

  constructor(request: Request) {
    this.view = {
      id: request.id,
      method: request.method,
      revision: '2025-11-25',
      dialect: request.dialect,
      profile: mcpProfile,
      asks: 'live',
      progressToken: undefined,
      stream: false,
      extensions: noExtensions,
    }
  }

  write(event: ExchangeEvent): Promise<void> | undefined {
    this.events.push(event)
    return this.#stalled?.promise
  }

  stall(): void {
    this.#stalled ??= Promise.withResolvers<void>()
  }

  resume(): void {
    this.#stalled?.resolve()
    this.#stalled = undefined
  }
}
