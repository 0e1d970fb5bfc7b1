import { randomBytes } from 'node:crypto'
import type { CallContext, Host } from '@junctor/exchange'
import type { Fabric, Identity, MessageEndpoints, PostResult, Tenant, UnreadableReporter } from '@junctor/contracts'
import { createMessageEndpoints } from './create-message-endpoints.ts'
import { payloadOf } from '@junctor/jsonrpc'
import { z } from 'zod'
import { askNode } from '../nodes/ask-node.ts'
import { nodeHandler } from '../nodes/node-handler.ts'
import { serviceNames } from '../nodes/service-names.ts'
import { nodeId, readNodeId } from '../shared/node-id.ts'
import type { SessionlessCallers } from '../sessions/sessionless/sessionless-callers.ts'

/** How long another node has to accept a message that was posted here, in milliseconds. */
const forwardMs = 10_000

/** The params of a message that was posted on another node: where it goes, and its bytes in base64. */
const postSchema = z.object({ address: z.string(), body: z.string() })
const resultSchema = z.enum(['taken', 'opening', 'unknown', 'unreachable'])

/** The message endpoints of one node, with the service for messages that were posted on other nodes. */
export interface SharedEndpoints {
  readonly messageEndpoints: MessageEndpoints
  serve(): Promise<{ close(): Promise<void> }>
}

/** How a message that was posted at one node reaches the node that has the connection of its client. */
export interface SharedEndpointsParts {
  readonly fabric: Fabric
  readonly host: Pick<Host, 'nextId'>
  readonly sessionless: Pick<SessionlessCallers, 'context'>
  readonly tenant: (name: string) => Tenant | undefined
  readonly isPresent: (node: string) => Promise<boolean>
  /** Called with messages of other nodes that this version cannot read. They are refused. */
  readonly unreadable: UnreadableReporter
}

/** Creates message endpoints that all nodes share. An address names the node that has the connection. */
export function createSharedEndpoints(parts: SharedEndpointsParts): SharedEndpoints {
  const { fabric, sessionless, tenant, isPresent } = parts
  const own = createMessageEndpoints(() => nodeId(fabric.node, randomBytes(32).toString('base64url')))

  const forward = async (node: string, address: string, identity: Identity, body: Uint8Array): Promise<PostResult> => {
    // Invalid text is refused by the node of the connection, as if it had been posted there.
    const asked = await askNode(parts, {
      node,
      service: serviceNames.post,
      context: sessionless.context(identity, '2024-11-05', 'http'),
      body: { address, body: Buffer.from(body).toString('base64') },
      answer: resultSchema,
      withinMs: forwardMs,
    })
    if (asked.kind === 'answered') return asked.value
    // A node that is gone has taken its connections with it.
    return (await isPresent(node)) ? 'unreachable' : 'unknown'
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
