import { randomBytes } from 'node:crypto'
import type { Closer, Fabric } from '@junctor/contracts'
import type { Handler } from '@junctor/exchange'
import type { JsonValue } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import { emptyOutcome } from '../shared/empty-outcome.ts'
import { nodeId } from '../shared/node-id.ts'
import type { Item, OutboxParts } from './outbox.ts'
import { Outbox } from './outbox.ts'

/** Brings what must not be lost to other nodes: in order for each, everything once, until they have it or are lost. */
export interface Parcels<Sent extends Item> {
  /** A promise: so much is on its way that whoever has more to send is to wait. */
  send(node: string, item: Sent): Promise<void> | undefined
  /** Resolves when the node has all that was for it so far, or is lost. False: this node closes, and nobody knows. */
  arrived(node: string): Promise<boolean>
  /** Resolves when other nodes have all that is for them so far, or are lost, or this node closes. */
  settled(): Promise<unknown>
  /** A node has left. Should it have been away only, it is found again. */
  lost(node: string): void
  /** This node leaves: what cannot be brought soon others are to bring, and has not arrived. */
  leave(): void
  /** Takes what other nodes send. */
  serve(): Promise<Closer>
  /** Brings nothing more. */
  close(): void
}

export interface ParcelParts extends OutboxParts {
  readonly fabric: Pick<Fabric, 'node' | 'call' | 'serve'>
}

/** What one kind of items is. */
export interface ParcelKind<Sent extends Item> {
  /** The service under which nodes take them. */
  readonly service: string
  /** Reads one from another node; `undefined` for what is none, or not known to this version. */
  readonly read: (value: JsonValue) => Sent | undefined
  readonly take: (item: Sent) => void
}

/** Outboxes of other nodes whose last parcel is remembered, so that what comes again is not taken again. */
const remembered = 1_024

export function createParcels<Sent extends Item>(
  parts: ParcelParts,
  { service, read, take }: ParcelKind<Sent>,
): Parcels<Sent> {
  const { fabric } = parts
  const outboxes = new Map<string, Outbox<Sent>>()
  /** The number of the last parcel of each outbox of others. */
  const received = new Map<string, number>()

  let isClosed = false
  let isLeaving = false

  const outboxTo = (node: string): Outbox<Sent> => {
    let outbox = outboxes.get(node)
    if (outbox === undefined) {
      outbox = new Outbox(node, service, nodeId(fabric.node, randomBytes(9).toString('base64url')), parts)
      if (isLeaving) outbox.leave()
      if (isClosed) outbox.close()
      outboxes.set(node, outbox)
    }
    return outbox
  }

  const receive: Handler = (request) => {
    const params = request.params?.value()
    const { from, number, items } = isJsonObject(params) ? params : {}
    if (typeof from !== 'string' || typeof number !== 'number' || !Array.isArray(items)) return emptyOutcome
    if (number <= (received.get(from) ?? 0)) return emptyOutcome
    received.delete(from)
    // The one that was silent for longest is the first.
    if (received.size >= remembered) received.delete(received.keys().next().value ?? '')
    received.set(from, number)
    for (const value of items as readonly JsonValue[]) {
      const item = read(value)
      if (item !== undefined) take(item)
    }
    return emptyOutcome
  }

  return {
    send: (node, item) => outboxTo(node).add(item),
    arrived: async (node) => outboxes.get(node)?.arrived() ?? !isClosed,
    settled: () => Promise.all([...outboxes.values()].map((outbox) => outbox.arrived())),
    lost(node) {
      if (outboxes.get(node)?.isEmpty === true) outboxes.delete(node)
    },
    leave() {
      isLeaving = true
      for (const outbox of outboxes.values()) outbox.leave()
    },
    serve: () => fabric.serve(service, receive),
    close() {
      isClosed = true
      for (const outbox of outboxes.values()) outbox.close()
    },
  }
}
