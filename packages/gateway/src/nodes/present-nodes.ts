import type { ErrorReporter, Fabric, NodeChange } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import { eachGuarded } from '../shared/each-guarded.ts'
import { pause } from '../shared/pause.ts'
import type { ReconnectClock } from './reconnect-clock.ts'
import { followNodes } from './follow-nodes.ts'
import { presenceQuestion } from './presence-question.ts'

/** Which nodes are present. */
export interface PresentNodes {
  /**
   * Whether a node is present. A node that is not known yet is asked, for example when this node has just started. In
   * the first seconds after this node has connected or reconnected, it asks repeatedly: the other node may still be
   * reconnecting to NATS.
   */
  isPresent(node: string): Promise<boolean>
  /**
   * The nodes whose names match, also this one. In the first seconds after this node has connected or reconnected, it waits until
   * there is one.
   */
  find(matches: (node: string) => boolean): Promise<readonly string[]>
  /** The other nodes that declare that they accept clients. */
  gateways(): readonly string[]
  /** Registers a listener that is called for each node that leaves from now on. */
  onLeft(listener: (node: string) => void): void
  close(): void
}

/** How often another node is waited for in the first seconds, in milliseconds. */
const againMs = 200

/**
 * Tracks the other nodes. A node whose connection is lost for a moment is still present; a node that was silent for too
 * long, or has announced that it leaves, is not.
 *
 * @param reportError called with the errors of listeners
 */
export function watchNodes(
  fabric: Pick<Fabric, 'node' | 'nodes' | 'send'>,
  reconnects: Pick<ReconnectClock, 'hasRecentlyJoined'>,
  reportError: ErrorReporter,
): PresentNodes {
  const present = new Map<string, JsonObject>()
  const listeners: ((node: string) => void)[] = []
  const left = (node: string): void => {
    eachGuarded(
      listeners,
      (listener) => listener(node),
      (error) => reportError('control', error, { node }),
    )
  }
  const closing = new AbortController()

  const follow = (change: NodeChange): void => {
    if (change.kind !== 'left') present.set(change.node, change.about)
    else if (present.delete(change.node)) left(change.node)
  }
  void followNodes(fabric, closing.signal, follow, reportError)

  const ask = async (node: string): Promise<boolean> => {
    // oxlint-disable no-await-in-loop -- one question after the other
    for (;;) {
      if (present.has(node) || (await fabric.send(node, presenceQuestion))) return true
      if (closing.signal.aborted || !reconnects.hasRecentlyJoined()) return false
      await pause(againMs)
    }
    // oxlint-enable no-await-in-loop
  }

  const matching = (matches: (node: string) => boolean): readonly string[] =>
    [...new Set([fabric.node, ...present.keys()])].filter(matches)

  return {
    async find(matches) {
      let found = matching(matches)
      while (found.length === 0 && !closing.signal.aborted && reconnects.hasRecentlyJoined()) {
        // oxlint-disable-next-line no-await-in-loop -- looks again after each pause
        await pause(againMs)
        found = matching(matches)
      }
      return found
    },
    isPresent: async (node) => present.has(node) || ask(node),
    gateways: () =>
      [...present].flatMap(([node, { role }]) => (role === 'gateway' && node !== fabric.node ? [node] : [])),
    onLeft: (listener) => void listeners.push(listener),
    close: () => closing.abort(),
  }
}
