import type { Closer, Fabric } from '@junctor/contracts'
import type { Handler } from '@junctor/exchange'
import { isJsonObject, payloadOf } from '@junctor/jsonrpc'
import { JunctorError } from '@junctor/protocol'
import type { AskNodeParts } from '../nodes/ask-node.ts'
import { askNode } from '../nodes/ask-node.ts'
import { nodeContext } from '../nodes/node-context.ts'
import { serviceNames } from '../nodes/service-names.ts'

/** How long a node has to say so, in milliseconds. */
const answerMs = 2_000

/** Sessions that are asked for at once. */
const atOnce = 1_000

export interface HomeSearchParts extends AskNodeParts {
  readonly fabric: Pick<Fabric, 'node' | 'call' | 'now' | 'serve'>
  /** The other nodes that let clients in. */
  readonly gateways: () => readonly string[]
  /** Where a session is at home as far as this node knows; undefined: it does not serve it. */
  readonly homeOf: (id: string) => string | undefined
}

/**
 * Finds sessions whose home has left. It may have handed them on while nobody could hear or read that: the connection to
 * the others was lost at that moment.
 */
export interface HomeSearch {
  /**
   * Where each of these sessions is at home, as the other gateways know. What is not in the map is at home nowhere.
   * Rejects with `FABRIC_UNAVAILABLE` when one of them cannot be asked, so that nothing is known.
   *
   * @param lost the node that has left
   */
  find(ids: readonly string[], lost: string): Promise<ReadonlyMap<string, string>>
  /** Answers other nodes that search. */
  serve(): Promise<Closer>
}

/** What one node knows of a session. */
interface Known {
  readonly id: string
  readonly home: string
  readonly by: string
}

export function createHomeSearch(parts: HomeSearchParts): HomeSearch {
  const { fabric, gateways, homeOf } = parts

  const answer: Handler = (request) => {
    const params = request.params?.value()
    const ids = isJsonObject(params) ? params['sessions'] : undefined
    const known = (Array.isArray(ids) ? ids : []).flatMap((id) => {
      const home = typeof id === 'string' ? homeOf(id) : undefined
      return home === undefined ? [] : [[id as string, home] as const]
    })
    return { kind: 'complete', result: payloadOf(Object.fromEntries(known)) }
  }

  const ask = async (node: string, sessions: readonly string[]): Promise<readonly Known[]> => {
    const question = { node, service: serviceNames.homes, context: nodeContext, body: { sessions }, withinMs: answerMs }
    const found = await askNode(parts, question)
    if (found.kind === 'gone') return []
    if (found.kind === 'silent') {
      throw new JunctorError('FABRIC_UNAVAILABLE', `the node ${node} did not say whether sessions are at home there`)
    }
    const homes = isJsonObject(found.value) ? Object.entries(found.value) : []
    return homes.flatMap(([id, home]) => (typeof home === 'string' ? [{ id, home, by: node }] : []))
  }

  return {
    async find(ids, lost) {
      const homes = new Map<string, string>()
      for (let at = 0; at < ids.length; at += atOnce) {
        const some = ids.slice(at, at + atOnce)
        // oxlint-disable-next-line no-await-in-loop -- so many at once
        const answers = await Promise.all(gateways().map((node) => ask(node, some)))
        for (const { id, home, by } of answers.flat()) {
          // What others have heard may be old; what a home says of itself is not.
          if (home !== lost && (home === by || !homes.has(id))) homes.set(id, home)
        }
      }
      return homes
    },
    serve: () => fabric.serve(serviceNames.homes, answer),
  }
}
