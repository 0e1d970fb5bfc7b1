import type { Closer, Fabric } from '@junctor/contracts'
import type { Handler } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { z } from 'zod'
import type { AskNodeParts } from '../nodes/ask-node.ts'
import { askNode } from '../nodes/ask-node.ts'
import { serviceNames } from '../nodes/service-names.ts'
import type { FrontSession } from './front-session.ts'
import type { SessionTable } from './session-table.ts'

/** How long a home node has to answer, in milliseconds. */
const answerMs = 2_000

export interface OwedParts extends AskNodeParts {
  readonly fabric: Pick<Fabric, 'call' | 'now' | 'serve'>
  readonly table: Pick<SessionTable, 'peek' | 'elsewhere'>
}

/** Informs home nodes that their sessions are owed answers, so that they hand the sessions over when they leave. */
export interface OwedAnswers {
  /**
   * Informs the session's home node that the gateway is about to promise answers on the session's own stream. From then
   * on, that node hands the session over when it leaves. `undefined`: the home node knows already. `gone`: the session
   * has ended. `away`: the home node cannot be reached now.
   */
  owe(session: FrontSession): Promise<'known' | 'gone' | 'away'> | undefined
  /** Receives such messages for sessions whose home is this node. */
  serve(): Promise<Closer>
}

export function createOwedAnswers(parts: OwedParts): OwedAnswers {
  const { fabric, table } = parts

  const receive: Handler = (request, exchange) => {
    const { session: id = '' } = exchange.context
    const session = table.peek(id)
    const next = table.elsewhere(id)
    if (session === undefined && next !== undefined) {
      return fabric.call({ service: serviceNames.owe, node: next.home }, request, exchange)
    }
    if (session !== undefined) session.isOwed = true
    return { kind: 'complete', result: payloadOf(session !== undefined) }
  }

  const oweAt = async (session: FrontSession): Promise<'known' | 'gone' | 'away'> => {
    const { home: node, context } = session
    const question = { node, service: serviceNames.owe, context, body: {}, answer: z.boolean(), withinMs: answerMs }
    const answer = await askNode(parts, question)
    if (answer.kind !== 'answered') return 'away'
    session.isHomeInformed = answer.value
    return session.isHomeInformed ? 'known' : 'gone'
  }

  return {
    owe(session) {
      if (session.isHomeInformed) return undefined
      const home = table.peek(session.id)
      if (home === undefined) return oweAt(session)
      home.isOwed = true
      session.isHomeInformed = true
      return undefined
    },
    serve: () => fabric.serve(serviceNames.owe, receive),
  }
}
