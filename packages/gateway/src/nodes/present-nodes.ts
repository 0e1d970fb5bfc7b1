import type { Caught, Fabric } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import { pause } from '../shared/pause.ts'

/** Which nodes are there. */
export interface PresentNodes {
  /**
   * Whether a node is there. One that is not known yet, as to a node that has just come, is asked; again and again in the
   * first seconds after this one has come, or come back: the other may still be on its way back to NATS.
   */
  isThere(node: string): Promise<boolean>
  /** The other nodes that say that they let clients in. */
  gateways(): readonly string[]
  /** Hears of each node that has left, from now on. */
  onLeft(hear: (node: string) => void): void
  close(): void
}

/** Heard by nobody: that it arrives is the answer. */
const question = { kind: 'there', body: null } as const

/** How long after this node, and how often, another one is waited for, in milliseconds: coming back to NATS takes a second. */
const patienceMs = 3_000
const againMs = 200

/**
 * Keeps an eye on the other nodes. One whose connection is lost for a moment is still there; one that has been silent for
 * too long, or said goodbye, is not.
 *
 * @param caught told of what those throw that hear of nodes
 */
export function watchNodes(fabric: Pick<Fabric, 'node' | 'nodes' | 'send' | 'onBack'>, caught: Caught): PresentNodes {
  const there = new Map<string, JsonObject>()
  const hearers: ((node: string) => void)[] = []
  const left = (node: string): void => {
    for (const hear of hearers) {
      try {
        hear(node)
      } catch (error) {
        caught('control', error, { node })
      }
    }
  }
  /** Until when others may be on their way back, as this node was. */
  let until = performance.now() + patienceMs
  const stopHearing = fabric.onBack(() => {
    until = performance.now() + patienceMs
  })
  const closing = new AbortController()

  const watch = async (): Promise<void> => {
    for await (const change of fabric.nodes(closing.signal)) {
      if (change.kind !== 'left') there.set(change.node, change.about)
      else if (there.delete(change.node)) left(change.node)
    }
  }
  void watch()

  const ask = async (node: string): Promise<boolean> => {
    // oxlint-disable no-await-in-loop -- one question after the other
    for (;;) {
      if (there.has(node) || (await fabric.send(node, question))) return true
      if (closing.signal.aborted || performance.now() >= until) return false
      await pause(againMs)
    }
    // oxlint-enable no-await-in-loop
  }

  return {
    isThere: async (node) => there.has(node) || ask(node),
    gateways: () =>
      [...there].flatMap(([node, { role }]) => (role === 'gateway' && node !== fabric.node ? [node] : [])),
    onLeft: (hear) => void hearers.push(hear),
    close() {
      stopHearing()
      closing.abort()
    },
  }
}
