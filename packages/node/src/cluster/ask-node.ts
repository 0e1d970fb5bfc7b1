import type { CallContext, Host } from '@junctor/exchange'
import type { Fabric } from '@junctor/contracts'
import { createExchange } from '@junctor/exchange'
import type { JsonValue, Request } from '@junctor/jsonrpc'
import { payloadOf, requestId } from '@junctor/jsonrpc'

/** A request of one node to another, without a client. */
export interface NodeQuestion {
  readonly node: string
  /** A service of that node: `$` and a name. */
  readonly service: string
  readonly params: JsonValue
  /** How long the other node may take to answer, in milliseconds. */
  readonly patienceMs: number
}

/**
 * Sends a request to another node. Resolves with `undefined` when the node does not answer in time, is gone, does not
 * know the service, or refuses. Never rejects.
 */
export async function askNode(
  fabric: Pick<Fabric, 'node' | 'call'>,
  { node, service, params, patienceMs }: NodeQuestion,
): Promise<JsonValue | undefined> {
  const request: Request = {
    kind: 'request',
    dialect: '2.0',
    id: requestId(0),
    method: service,
    params: payloadOf(params),
  }
  const exchange = createExchange(
    { id: `${fabric.node}-asks`, request, context, deadline: Date.now() + patienceMs, attempt: 1 },
    host,
  )
  const timer = setTimeout(() => exchange.end('deadline'), patienceMs)
  try {
    const outcome = await fabric.call({ service, node }, request, exchange)
    return outcome.kind === 'complete' ? (outcome.result.value() as JsonValue) : undefined
  } finally {
    clearTimeout(timer)
  }
}

/** The caller of the request is the node itself. The request's params name the tenant that an answer is for. */
const context: CallContext = {
  tenant: '',
  principal: { issuer: 'local', subject: 'node', key: 'local|node' },
  session: undefined,
  revision: '2025-11-25',
  client: { info: {}, capabilities: {} },
  trace: undefined,
}

/** The host of exchanges without a client, which cannot ask anything. */
const host: Host = {
  nextId: () => '',
  now: Date.now,
  asked() {},
  answered() {},
  closed() {},
}
