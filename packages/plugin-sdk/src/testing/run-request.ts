import {
  createExchange,
  type Answer,
  type AskEvent,
  type CallContext,
  type ExchangeEvent,
  type Host,
  type Link,
  type OpenExchange,
  type Outcome,
  type Outlet,
  type View,
} from '@junctor/exchange'
import {
  isJsonObject,
  payloadOf,
  printPayload,
  requestId,
  type JsonObject,
  type Payload,
  type Request,
} from '@junctor/jsonrpc'
import { mcpProfile, methods, wireError } from '@junctor/protocol'
import type { CallOptions } from './call-options.ts'
import { RequestError } from './request-error.ts'

/** Runs one request on a link, as a client would, and returns its result. */
export async function runRequest(
  link: Link,
  context: CallContext,
  id: number,
  { method, params, options = {} }: { method: string; params: JsonObject; options?: CallOptions },
): Promise<JsonObject> {
  const request: Request = {
    kind: 'request',
    dialect: options.options === undefined ? '2.0' : '3.0',
    id: requestId(id),
    method,
    params: payloadOf(params),
    ...(options.options && { options: options.options }),
  }
  const exchange = createExchange(
    { id: `test-${id}`, request, context, deadline: Infinity, attempt: 1, wantsProgress: true },
    createHost(id),
  )
  const outlet = new TestOutlet(viewOf(request, context), exchange, options)
  exchange.attach(outlet)
  const cancel = (): void => exchange.end('cancelled')
  options.signal?.addEventListener('abort', cancel)
  if (options.signal?.aborted === true) cancel()
  try {
    const outcome = await link.call(request, exchange)
    exchange.settle(outcome)
    if (exchange.ended !== undefined) throw new RequestError(`The request ended: ${exchange.ended}`)
    return outlet.resultOf(outcome)
  } finally {
    options.signal?.removeEventListener('abort', cancel)
  }
}

function viewOf({ method, id, dialect }: Request, { revision }: CallContext): View {
  return {
    id,
    method,
    dialect,
    revision,
    delivery: 'inline',
    profile: mcpProfile,
    asks: 'live',
    progressToken: 1,
    logLevel: undefined,
  }
}

/** Without clocks and tables: a test waits for what it wants, and its runner has the deadline. */
function createHost(id: number): Host {
  let asks = 0
  return {
    nextId: () => `test-${id}-${(asks += 1)}`,
    now: () => Date.now(),
    asked: () => undefined,
    answered: () => undefined,
    closed: () => undefined,
  }
}

/** The client's end of one request. */
class TestOutlet implements Outlet {
  readonly view: View
  readonly #exchange: OpenExchange
  readonly #options: CallOptions
  readonly #chunks: unknown[] = []

  constructor(view: View, exchange: OpenExchange, options: CallOptions) {
    this.view = view
    this.#exchange = exchange
    this.#options = options
  }

  write(event: ExchangeEvent): undefined {
    if (event.kind === 'progress') this.#options.onProgress?.(event.progress)
    if (event.kind === 'notification' && event.notification.method === methods.notificationsMessage) {
      this.#options.onLog?.(asSent(event.notification.params))
    }
    if (event.kind === 'chunk') {
      this.#chunks.push(event.data)
      this.#options.onChunk?.(event.data)
    }
    if (event.kind === 'ask') void this.#answer(event)
  }

  /** What the client gets: pieces that were streamed are gathered, as for a client that knows no streams. */
  resultOf(outcome: Outcome): JsonObject {
    if (outcome.kind === 'error') {
      throw new RequestError(outcome.error.message, outcome.error.code, outcome.error.data?.value())
    }
    if (outcome.kind !== 'complete') throw new RequestError(`Expected a complete outcome, got ${outcome.kind}`)
    const result = asSent(outcome.result)
    if (this.#chunks.length === 0) return result
    const streamed = this.#chunks.flatMap((data) => contentOf(data))
    return { ...result, content: [...streamed, ...contentOf(result)] as JsonObject[] }
  }

  async #answer({ id, request: { method, params } }: AskEvent): Promise<void> {
    const answered = this.#answererOf(method)?.(asSent(params))
    const answer: Answer =
      answered === undefined
        ? { error: wireError('ask_not_supported', this.view, { name: method }) }
        : { result: payloadOf(await answered) }
    this.#exchange.answer(id, answer)
  }

  #answererOf(method: string): ((params: JsonObject) => JsonObject | Promise<JsonObject>) | undefined {
    const { onElicit, onSample, onRoots } = this.#options
    if (method === methods.elicitationCreate) return onElicit
    if (method === methods.samplingCreateMessage) return onSample
    if (method !== methods.rootsList || onRoots === undefined) return undefined
    return async () => ({ roots: (await onRoots()) as unknown as JsonObject[] })
  }
}

/** The value as it comes out at the other end of a wire. */
export function asSent(payload: Payload | undefined): JsonObject {
  const value: unknown = payload && JSON.parse(printPayload(payload))
  return isJsonObject(value) ? value : {}
}

function contentOf(data: unknown): readonly unknown[] {
  return isJsonObject(data) && Array.isArray(data['content']) ? data['content'] : [data]
}
