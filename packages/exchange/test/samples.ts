import { type Answer, payloadOf, type Request, requestId } from '@junctor/jsonrpc'
import { mcpProfile, noExtensions } from '@junctor/protocol'
import {
  type AskOptions,
  type CallContext,
  createExchange,
  type ExchangeInit,
  type Host,
  type OpenExchange,
  type Outcome,
  type View,
} from '../src/index.ts'

/** A call of the tool `echo` without arguments. */
export const sampleRequest: Request = {
  kind: 'request',
  dialect: '2.0',
  id: requestId(7),
  method: 'tools/call',
  params: payloadOf({ name: 'echo' }),
}

/** A caller with a session of 2025-11-25, in the tenant `default`. */
export const sampleContext: CallContext = {
  tenant: 'default',
  principal: { issuer: 'local', subject: 'me', key: 'local|me' },
  session: 's_1',
  revision: '2025-11-25',
  client: { info: { name: 'client', version: '1' }, capabilities: {} },
  trace: undefined,
}

/** How {@link sampleRequest} is rendered for that caller: in its own response, not as a stream, with progress. */
export const sampleView: View = {
  id: sampleRequest.id,
  method: sampleRequest.method,
  revision: '2025-11-25',
  dialect: '2.0',
  profile: mcpProfile,
  asks: 'live',
  progressToken: 'token',
  stream: false,
  extensions: noExtensions,
}

/** The outcome of a tool that has nothing to say. */
export const completed: Outcome = { kind: 'complete', result: payloadOf({ content: [] }) }

/** A host with a manual clock, which records all calls. */
export class SampleHost implements Host {
  time = 1000
  readonly asks: Map<string, { readonly exchange: OpenExchange; readonly options: AskOptions | undefined }> = new Map()
  readonly answers: { readonly askId: string; readonly answer: Answer }[] = []
  readonly closes: OpenExchange[] = []
  #count = 0

  nextId(): string {
    this.#count += 1
    return `node-${this.#count.toString(36)}`
  }

  now(): number {
    return this.time
  }

  asked(askId: string, exchange: OpenExchange, options: AskOptions | undefined): void {
    this.asks.set(askId, { exchange, options })
  }

  answered(askId: string, answer: Answer): void {
    this.asks.delete(askId)
    this.answers.push({ askId, answer })
  }

  closed(exchange: OpenExchange): void {
    this.closes.push(exchange)
  }
}

/** Opens an exchange for {@link sampleRequest}. Its deadline is 30 s after the first time of a {@link SampleHost}. */
export function sampleExchange(host: Host, init: Partial<ExchangeInit> = {}): OpenExchange {
  return createExchange(
    { id: 'node-x', request: sampleRequest, context: sampleContext, deadline: 31_000, attempt: 1, ...init },
    host,
  )
}
