import type { CallContext, Host } from '@junctor/exchange'
import type { Fabric } from '@junctor/contracts'
import { createExchange } from '@junctor/exchange'
import type { JsonValue, Request } from '@junctor/jsonrpc'
import { payloadOf, requestId } from '@junctor/jsonrpc'

/** A question of one node to another, on nobody's account. */
export interface NodeQuestion {
  readonly node: string
  /** A service of that node: `$` and a name. */
  readonly service: string
  readonly params: JsonValue
  /** How long the other has to answer, in milliseconds. */
  readonly patienceMs: number
}

/**
 * Asks another node. `undefined` when it did not answer in time, is gone, does not know the service, or refused. Never
 * rejects.
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

/** Nodes ask for themselves. Whom an answer is for stands in the question. */
const context: CallContext = {
  tenant: '',
  principal: { issuer: 'local', subject: 'node', key: 'local|node' },
  session: undefined,
  revision: '2025-11-25',
  client: { info: {}, capabilities: {} },
  trace: undefined,
}

/** Of exchanges that ask nobody anything: no client is at their end. */
const host: Host = {
  nextId: () => '',
  now: Date.now,
  asked() {},
  answered() {},
  closed() {},
}
