import type { Closer, Fabric } from '@junctor/contracts'
import type { Handler } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { z } from 'zod'
import { askNode, type AskNodeParts } from '../../nodes/ask-node.ts'
import { serviceNames } from '../../nodes/service-names.ts'
import type { FrontSession } from './front-session.ts'
import type { SessionTable } from './session-table.ts'

/** How long a home node has to answer, in milliseconds. */
const answerMs = 2_000

/** How the home of a session is asked, and which sessions this node knows. */
export interface AwaitedAnswersParts extends AskNodeParts {
  readonly fabric: Pick<Fabric, 'call' | 'now' | 'serve'>
  readonly table: Pick<SessionTable, 'peek' | 'otherHome'>
}

/**
 * Whether the home node of a session knows that the session waits for answers. `session_ended`: the home node has no such
 * session. `unreachable`: the home node does not answer now.
 */
export type Announced = 'known' | 'session_ended' | 'unreachable'

/** Informs home nodes that their sessions wait for answers, so that they hand the sessions over when they leave. */
export interface AwaitedAnswers {
  /**
   * Informs the session's home node that the gateway is about to promise answers on the session's own stream. From then
   * on, that node hands the session over when it leaves. Returns no promise when the home node knows already.
   */
  announce(session: FrontSession): Announced | Promise<Announced>
  /** Receives such messages for sessions whose home is this node. */
  serve(): Promise<Closer>
}

/**
 * Creates both ends: it tells homes of sessions, and receives what other nodes tell. A message for a session that has
 * moved is passed on to its new home.
 */
export function createAwaitedAnswers(parts: AwaitedAnswersParts): AwaitedAnswers {
  const { fabric, table } = parts

  const receive: Handler = (request, exchange) => {
    const { session: id = '' } = exchange.context
    const session = table.peek(id)
    const next = table.otherHome(id)
    if (session === undefined && next !== undefined) {
      return fabric.call({ service: serviceNames.awaitedAnswers, node: next }, request, exchange)
    }
    if (session !== undefined) session.awaitsAnswers = true
    return { kind: 'complete', result: payloadOf(session !== undefined) }
  }

  const announceTo = async (session: FrontSession): Promise<Announced> => {
    const { home: node, context } = session
    const question = {
      node,
      service: serviceNames.awaitedAnswers,
      context,
      body: {},
      answer: z.boolean(),
      withinMs: answerMs,
    }
    const answer = await askNode(parts, question)
    if (answer.kind !== 'answered') return 'unreachable'
    session.isHomeInformed = answer.value
    return session.isHomeInformed ? 'known' : 'session_ended'
  }

  return {
    announce(session) {
      if (session.isHomeInformed) return 'known'
      const home = table.peek(session.id)
      if (home === undefined) return announceTo(session)
      home.awaitsAnswers = true
      session.isHomeInformed = true
      return 'known'
    },
    serve: () => fabric.serve(serviceNames.awaitedAnswers, receive),
  }
}
