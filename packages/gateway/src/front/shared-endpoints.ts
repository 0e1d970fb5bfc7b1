import { randomBytes } from 'node:crypto'
import type { CallContext, Host } from '@junctor/exchange'
import type { Fabric, Identity, MessageEndpoints, PostResult, Tenant, UnreadableReporter } from '@junctor/contracts'
import { createMessageEndpoints } from './create-message-endpoints.ts'
import { payloadOf } from '@junctor/jsonrpc'
import { z } from 'zod'
import { callNode } from '../nodes/call-node.ts'
import { nodeHandler } from '../nodes/node-handler.ts'
import { nodeRequest } from '../nodes/node-request.ts'
import { serviceNames } from '../nodes/service-names.ts'
import { reasonOf } from '../shared/errors.ts'
import { nodeId, readNodeId } from '../shared/node-id.ts'
import type { SessionlessCallers } from '../sessions/sessionless/sessionless-callers.ts'

/** How long another node has to accept a message that was posted here, in milliseconds. */
const forwardMs = 10_000

/** The params of a message that was posted on another node: where it goes, and its bytes in base64. */
const postSchema = z.object({ address: z.string(), body: z.string() })

/** The message endpoints of one node, with the service for messages that were posted on other nodes. */
export interface SharedEndpoints {
  readonly messageEndpoints: MessageEndpoints
  serve(): Promise<{ close(): Promise<void> }>
}

/** How a message that was posted at one node reaches the node that has the connection of its client. */
export interface SharedEndpointsParts {
  readonly fabric: Fabric
  readonly host: Host
  readonly sessionless: Pick<SessionlessCallers, 'context'>
  readonly tenant: (name: string) => Tenant | undefined
  /** Called with messages of other nodes that this version cannot read. They are refused. */
  readonly unreadable: UnreadableReporter
}

/** Creates message endpoints that all nodes share. An address names the node that has the connection. */
export function createSharedEndpoints(parts: SharedEndpointsParts): SharedEndpoints {
  const { fabric, host, sessionless, tenant } = parts
  const own = createMessageEndpoints(() => nodeId(fabric.node, randomBytes(32).toString('base64url')))

  const forward = async (node: string, address: string, identity: Identity, body: Uint8Array): Promise<PostResult> => {
    // Invalid text is refused by the node of the connection, as if it had been posted there.
    const request = nodeRequest(serviceNames.post, { address, body: Buffer.from(body).toString('base64') })
    const context = sessionless.context(identity, '2024-11-05', 'http')
    const outcome = await callNode({ fabric, host }, { node, request, context, withinMs: forwardMs })
    if (reasonOf(outcome) === 'fabric_unavailable') return 'unreachable'
    const posted = outcome.kind === 'complete' ? outcome.result.value() : undefined
    return posted === 'taken' || posted === 'opening' ? posted : 'unknown'
  }

  const receive = nodeHandler(postSchema, parts.unreadable, async ({ address, body }, { context }) => {
    const identity = identityOf(context, tenant)
    const posted = identity === undefined ? 'unknown' : await own.post(address, identity, Buffer.from(body, 'base64'))
    return { kind: 'complete', result: payloadOf(posted) }
  })

  return {
    messageEndpoints: {
      open: (identity, take) => own.open(identity, take),
      post(address, identity, body) {
        const id = readNodeId(address)
        if (id.kind === 'foreign') return 'unknown'
        return id.node === fabric.node ? own.post(address, identity, body) : forward(id.node, address, identity, body)
      },
    },
    serve: () => fabric.serve(serviceNames.post, receive),
  }
}

function identityOf(
  { principal, tenant: name }: CallContext,
  tenantNamed: SharedEndpointsParts['tenant'],
): Identity | undefined {
  const tenant = tenantNamed(name)
  return tenant && { kind: 'identity', principal, tenant }
}
