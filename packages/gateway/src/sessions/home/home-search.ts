import type { Closer, Fabric } from '@junctor/contracts'
import { payloadOf } from '@junctor/jsonrpc'
import { JunctorError } from '@junctor/protocol'
import { z } from 'zod'
import { askNode, type AskNodeParts } from '../../nodes/ask-node.ts'
import { nodeContext } from '../../nodes/node-context.ts'
import { nodeHandler } from '../../nodes/node-handler.ts'
import { serviceNames } from '../../nodes/service-names.ts'
import { jsonObjectSchema } from '../../shared/schemas.ts'

/** How long a node has to answer, in milliseconds. */
const answerMs = 2_000

/** The most sessions in one request. */
const atOnce = 1_000

/** The other nodes that may know the home of a session, and what this node tells them. */
export interface HomeSearchParts extends AskNodeParts {
  readonly fabric: Pick<Fabric, 'node' | 'call' | 'now' | 'serve'>
  /** The other nodes that accept clients. */
  readonly gateways: () => readonly string[]
  /** Whether a node that this node has not heard of may be present: it is too early to know. */
  readonly mayNotKnowAll: () => boolean
  /** The home of a session as this node knows it. `undefined`: this node does not serve the session. */
  readonly homeOf: (id: string) => string | undefined
}

/**
 * Finds sessions whose home node has left. The node may have handed them over while its connection was lost, so that
 * the others got neither the message nor the record.
 */
export interface HomeSearch {
  /**
   * The home of each of these sessions, as the other gateways know it. A session that is not in the map has no home.
   * Rejects with `FABRIC_UNAVAILABLE` when a gateway cannot be asked, because the answer would be incomplete.
   *
   * @param lost the node that has left. It is asked as well while this node may not have heard of it yet
   */
  find(ids: readonly string[], lost: string): Promise<ReadonlyMap<string, string>>
  /** Answers the searches of other nodes. */
  serve(): Promise<Closer>
}

/** What one node knows about a session. `by` is the node that answered. */
interface Known {
  readonly id: string
  readonly home: string
  readonly by: string
}

/** The params of a search. */
const searchSchema = z.object({ sessions: z.array(z.string()) })

/** The home of each session that a node knows. As entries, so that no session id is in the report of a problem. */
const homesSchema = jsonObjectSchema.transform(Object.entries).pipe(z.array(z.tuple([z.string(), z.string()])))

/**
 * Creates both ends of the search: it asks the other gateways, and answers them for the sessions that this node knows.
 */
export function createHomeSearch(parts: HomeSearchParts): HomeSearch {
  const { fabric, gateways, mayNotKnowAll, homeOf } = parts

  const answer = nodeHandler(searchSchema, parts.unreadable, ({ sessions }) => {
    const known = sessions.flatMap((id) => {
      const home = homeOf(id)
      return home === undefined ? [] : [[id, home] as const]
    })
    return { kind: 'complete', result: payloadOf(Object.fromEntries(known)) }
  })

  const ask = async (node: string, sessions: readonly string[]): Promise<readonly Known[]> => {
    const question = {
      node,
      service: serviceNames.homes,
      context: nodeContext,
      body: { sessions },
      answer: homesSchema,
    }
    const found = await askNode(parts, { ...question, withinMs: answerMs })
    if (found.kind === 'gone') return []
    if (found.kind === 'silent') {
      throw new JunctorError('FABRIC_UNAVAILABLE', `the node ${node} did not answer whether it is the home of sessions`)
    }
    return found.value.map(([id, home]) => ({ id, home, by: node }))
  }

  return {
    async find(ids, lost) {
      const homes = new Map<string, string>()
      const asked = mayNotKnowAll() ? new Set([...gateways(), lost]) : gateways()
      for (let at = 0; at < ids.length; at += atOnce) {
        const some = ids.slice(at, at + atOnce)
        // oxlint-disable-next-line no-await-in-loop -- at most this many at the same time
        const answers = await Promise.all(Array.from(asked, (node) => ask(node, some)))
        for (const { id, home, by } of answers.flat()) {
          // What other nodes know may be old; the home node's own answer is current.
          if (home === by || (home !== lost && !homes.has(id))) homes.set(id, home)
        }
      }
      return homes
    },
    serve: () => fabric.serve(serviceNames.homes, answer),
  }
}
