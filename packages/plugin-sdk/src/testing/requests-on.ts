import { type CallContext, createExchange, type Host, type View } from '@junctor/exchange'
import type { Link } from '@junctor/contracts'
import { payloadOf, requestId, wantsStream, type JsonObject, type JsonValue, type Request } from '@junctor/jsonrpc'
import { mcpProfile, noExtensions } from '@junctor/protocol'
import { exactPayload } from '../printed-payload.ts'
import type { CallOptions } from './call-options.ts'
import { ClientOutlet } from './client-outlet.ts'
import { RequestError } from './request-error.ts'

/** A request that a test sends. */
interface TestRequest {
  readonly method: string
  readonly params: JsonObject | readonly JsonValue[]
  readonly options: CallOptions
}

/** Sends a request and resolves with its result. */
export type SendRequest = (
  method: string,
  params?: JsonObject | readonly JsonValue[],
  options?: CallOptions,
) => Promise<JsonValue>

/**
 * Returns a function that sends numbered requests on a link. It rejects with a `RequestError` on an error or a cancel.
 */
export function requestsOn(link: Link, context: CallContext): SendRequest {
  let requests = 0
  return (method, params = {}, options = {}) => {
    requests += 1
    return runRequest(link, context, requests, { method, params, options })
  }
}

/**
 * Runs one request on a link, as the gateway would for a client, and returns its result.
 *
 * @throws RequestError when the answer is an error, or the request was cancelled
 */
async function runRequest(
  link: Link,
  context: CallContext,
  number: number,
  { method, params, options }: TestRequest,
): Promise<JsonValue> {
  const request: Request = {
    kind: 'request',
    dialect: options.options === undefined ? '2.0' : '3.0',
    id: requestId(number),
    method,
    params: exactPayload(params),
    ...(options.options && { options: payloadOf(options.options) }),
  }
  const exchange = createExchange(
    { id: `test-${number}`, request, context, deadline: Infinity, attempt: 1, wantsProgress: true },
    createHost(number),
  )
  const outlet = new ClientOutlet(viewOf(request, context), exchange, options)
  exchange.attach(outlet)
  const cancel = (): void => exchange.end('cancelled')
  options.signal?.addEventListener('abort', cancel)
  if (options.signal?.aborted === true) cancel()
  try {
    exchange.settle(await link.call(request, exchange))
  } finally {
    options.signal?.removeEventListener('abort', cancel)
  }
  if (exchange.ended !== undefined) throw new RequestError(`The request ended: ${exchange.ended}`)
  return outlet.result()
}

function viewOf(request: Request, { revision }: CallContext): View {
  const { method, id, dialect } = request
  return {
    id,
    method,
    dialect,
    revision,
    profile: mcpProfile,
    asks: 'live',
    progressToken: 'test',
    stream: wantsStream(request),
    extensions: noExtensions,
  }
}

/** A host without timers and tables: a test awaits what it needs, and its runner has the deadline. */
function createHost(number: number): Host {
  let asks = 0
  return {
    nextId: () => `test-${number}-${(asks += 1)}`,
    now: () => Date.now(),
    asked: () => undefined,
    answered: () => undefined,
    closed: () => undefined,
  }
}
