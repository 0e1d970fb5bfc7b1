import { randomBytes } from 'node:crypto'
import {
  type Closer,
  type Fabric,
  type ReadData,
  readData,
  type UnreadableKind,
  type UnreadableReporter,
} from '@junctor/contracts'
import type { Handler } from '@junctor/exchange'
import { removeOldest } from '@junctor/primitives'
import { z } from 'zod'
import { emptyOutcome } from '../shared/empty-outcome.ts'
import { nodeId, readNodeId } from '../shared/node-id.ts'
import { type Item, Outbox, type OutboxParts } from './outbox.ts'

/**
 * Delivers items to other nodes that must not be lost: in order for each node and once each, until the node has them or
 * is lost.
 */
export interface ReliableOutboxes<Sent extends Item> {
  /** Sends an item. Returns a promise when so much is on its way that the sender must wait. */
  send(node: string, item: Sent): Promise<void> | undefined
  /**
   * True when the node has received everything sent to it so far, or is lost. False: this node closes, so it is
   * unknown.
   */
  arrived(node: string): boolean | Promise<boolean>
  /** Resolves when all other nodes have received everything so far, or are lost, or this node closes. */
  settled(): Promise<unknown>
  /** A node has left: it is forgotten when nothing is on its way any more. It may come back. */
  lost(node: string): void
  /**
   * This node leaves. When another node stays, items that cannot be delivered soon count as not arrived, so that other nodes
   * deliver them. When none stays, items for absent nodes are given up: no node will take them.
   */
  leave(hasSuccessor: boolean): void
  /** Receives the items of other nodes. */
  serve(): Promise<Closer>
  /** Stops delivering. */
  close(): void
}

/** How items are sent to other nodes and received from them. */
export interface ReliableOutboxParts extends OutboxParts {
  readonly fabric: Pick<Fabric, 'node' | 'call' | 'now' | 'serve'>
  readonly unreadable: UnreadableReporter
}

/** One kind of items. */
export interface OutboxKind<Sent extends Item> {
  /** The service that receives items of this kind. */
  readonly service: string
  /** The name of such items in reports of those that cannot be read. */
  readonly data: UnreadableKind
  /** Reads an item from another node, perhaps one of another version. */
  readonly read: (value: unknown) => ReadData<Sent>
  readonly take: (item: Sent) => void
}

/** The number of other outboxes whose last batch is remembered, so that a repeated batch is ignored. */
const remembered = 1_024

/** Creates the outboxes, none of them in use. */
export function createReliableOutboxes<Sent extends Item>(
  parts: ReliableOutboxParts,
  kind: OutboxKind<Sent>,
): ReliableOutboxes<Sent> {
  const { fabric } = parts
  const { service } = kind
  const outboxes = new Map<string, Outbox<Sent>>()
  let isClosed = false
  let leaving: { readonly hasSuccessor: boolean } | undefined

  const outboxTo = (node: string): Outbox<Sent> => {
    let outbox = outboxes.get(node)
    if (outbox === undefined) {
      outbox = new Outbox(node, service, nodeId(fabric.node, randomBytes(9).toString('base64url')), parts)
      if (leaving !== undefined) outbox.leave(leaving.hasSuccessor)
      if (isClosed) outbox.close()
      outboxes.set(node, outbox)
    }
    return outbox
  }

  /** Removes the outbox to a node once it is empty: the names of most nodes never come back. */
  const forget = async (node: string): Promise<void> => {
    const outbox = outboxes.get(node)
    if (outbox?.isEmpty !== false) outboxes.delete(node)
    // More items may have been added meanwhile.
    else if (await outbox.arrived()) await forget(node)
  }

  return {
    send: (node, item) => outboxTo(node).add(item),
    arrived: (node) => outboxes.get(node)?.arrived() ?? !isClosed,
    settled: () => Promise.all([...outboxes.values()].map((outbox) => outbox.arrived())),
    lost: (node) => void forget(node),
    leave(hasSuccessor) {
      leaving = { hasSuccessor }
      for (const outbox of outboxes.values()) outbox.leave(hasSuccessor)
    },
    serve: () => fabric.serve(service, receiver(kind, parts.unreadable)),
    close() {
      isClosed = true
      for (const outbox of outboxes.values()) outbox.close()
    },
  }
}

/** A batch of items. `from` is the id of the outbox, which names its node. */
const batch = z.object({
  from: z.string().refine((id) => readNodeId(id).kind === 'id', 'expected an id that names a node'),
  number: z.number(),
  items: z.array(z.unknown()),
})

/** Takes the batches of other nodes, each once. Items that cannot be read are left out. */
function receiver<Sent extends Item>(
  { service, data, read, take }: OutboxKind<Sent>,
  unreadable: UnreadableReporter,
): Handler {
  /** The number of the last batch from each outbox of other nodes. */
  const received = new Map<string, number>()
  return (request) => {
    const sent = readData(batch, request.params?.value())
    if (sent.kind === 'unreadable') {
      unreadable(data, service, sent.problem)
      return emptyOutcome
    }
    const { from, number, items } = sent.value
    if (number <= (received.get(from) ?? 0)) return emptyOutcome
    // Added anew, so that the oldest outbox is the one that was silent for longest.
    received.delete(from)
    received.set(from, number)
    removeOldest(received, remembered)
    for (const value of items) {
      const item = read(value)
      if (item.kind === 'read') take(item.value)
      else unreadable(data, from, item.problem)
    }
    return emptyOutcome
  }
}
