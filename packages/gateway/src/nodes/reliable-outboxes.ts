import { randomBytes } from 'node:crypto'
import type { Closer, Fabric } from '@junctor/contracts'
import type { Handler } from '@junctor/exchange'
import type { JsonValue } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import { printable } from '@junctor/primitives'
import { emptyOutcome } from '../shared/empty-outcome.ts'
import { nodeId, readNodeId } from '../shared/node-id.ts'
import type { Unreadable } from '../shared/unreadable.ts'
import type { Item, OutboxParts } from './outbox.ts'
import { Outbox } from './outbox.ts'

/**
 * Delivers items to other nodes that must not be lost: in order for each node and once each, until the node has them or
 * is lost.
 */
export interface ReliableOutboxes<Sent extends Item> {
  /** Sends an item. Returns a promise when so much is on its way that the sender must wait. */
  send(node: string, item: Sent): Promise<void> | undefined
  /**
   * Resolves when the node has received everything sent to it so far, or is lost. False: this node closes, so it is
   * unknown.
   */
  arrived(node: string): Promise<boolean>
  /** Resolves when all other nodes have received everything so far, or are lost, or this node closes. */
  settled(): Promise<unknown>
  /** A node has left. If it was only disconnected, it is discovered again later. */
  lost(node: string): void
  /**
   * This node leaves. When another node stays, items that cannot be delivered soon count as not arrived, so that other nodes
   * deliver them. When none stays, items for absent nodes are given up: nobody will take them.
   */
  leave(stays: boolean): void
  /** Receives the items of other nodes. */
  serve(): Promise<Closer>
  /** Stops delivering. */
  close(): void
}

export interface ReliableOutboxParts extends OutboxParts {
  readonly fabric: Pick<Fabric, 'node' | 'call' | 'now' | 'serve'>
  readonly unreadable: Unreadable
}

/** One kind of items. */
export interface OutboxKind<Sent extends Item> {
  /** The service that receives items of this kind. */
  readonly service: string
  /** Reads an item from another node. `undefined`: it is not valid, or unknown to this version. */
  readonly read: (value: JsonValue) => Sent | undefined
  readonly take: (item: Sent) => void
}

/** The number of other outboxes whose last batch is remembered, so that a repeated batch is ignored. */
const remembered = 1_024

export function createReliableOutboxes<Sent extends Item>(
  parts: ReliableOutboxParts,
  kind: OutboxKind<Sent>,
): ReliableOutboxes<Sent> {
  const { fabric } = parts
  const { service } = kind
  const outboxes = new Map<string, Outbox<Sent>>()
  let isClosed = false
  let leaving: { readonly stays: boolean } | undefined

  const outboxTo = (node: string): Outbox<Sent> => {
    let outbox = outboxes.get(node)
    if (outbox === undefined) {
      outbox = new Outbox(node, service, nodeId(fabric.node, randomBytes(9).toString('base64url')), parts)
      if (leaving !== undefined) outbox.leave(leaving.stays)
      if (isClosed) outbox.close()
      outboxes.set(node, outbox)
    }
    return outbox
  }

  return {
    send: (node, item) => outboxTo(node).add(item),
    arrived: async (node) => outboxes.get(node)?.arrived() ?? !isClosed,
    settled: () => Promise.all([...outboxes.values()].map((outbox) => outbox.arrived())),
    lost(node) {
      if (outboxes.get(node)?.isEmpty === true) outboxes.delete(node)
    },
    leave(stays) {
      leaving = { stays }
      for (const outbox of outboxes.values()) outbox.leave(stays)
    },
    serve: () => fabric.serve(service, receiver(kind, parts.unreadable)),
    close() {
      isClosed = true
      for (const outbox of outboxes.values()) outbox.close()
    },
  }
}

/** Takes the batches of other nodes, each once. What cannot be read of one is left out. */
function receiver<Sent extends Item>({ service, read, take }: OutboxKind<Sent>, unreadable: Unreadable): Handler {
  /** The number of the last batch from each outbox of other nodes. */
  const received = new Map<string, number>()
  return (request) => {
    const params = request.params?.value()
    const { from, number, items } = isJsonObject(params) ? params : {}
    const sender = typeof from === 'string' ? from : ''
    if (readNodeId(sender).kind === 'foreign' || typeof number !== 'number' || !Array.isArray(items)) {
      unreadable(service, printable(sender))
      return emptyOutcome
    }
    if (number <= (received.get(sender) ?? 0)) return emptyOutcome
    received.delete(sender)
    // The first outbox is the one that was silent for longest.
    if (received.size >= remembered) received.delete(received.keys().next().value ?? '')
    received.set(sender, number)
    for (const value of items as readonly JsonValue[]) {
      const item = read(value)
      if (item === undefined) unreadable(service, sender)
      else take(item)
    }
    return emptyOutcome
  }
}
