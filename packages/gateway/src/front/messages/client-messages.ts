import type { Closer, Fabric } from '@junctor/contracts'
import type { Answer, Notification, Response } from '@junctor/jsonrpc'
import { member, printPayload, requestIdValue } from '@junctor/jsonrpc'
import { settlesWithin } from '@junctor/primitives'
import { canonicalMethod, methods } from '@junctor/protocol'
import type { ReliableOutboxParts } from '../../nodes/reliable-outboxes.ts'
import { createReliableOutboxes } from '../../nodes/reliable-outboxes.ts'
import { serviceNames } from '../../nodes/service-names.ts'
import { readNodeId } from '../../shared/node-id.ts'
import type { AskTable } from '../../sessions/asks/ask-table.ts'
import type { FrontSession } from '../../sessions/session/front-session.ts'
import type { HomeSession } from '../../sessions/session/home-session.ts'
import { printAnswer, readAnswer } from './answer-text.ts'
import { idOf } from './cancel-request.ts'
import type { Cancels } from './cancels.ts'
import type { ClientMessage } from './client-message.ts'
import { readClientMessage } from './client-message.ts'
import type { RootsChanges } from './roots-changes.ts'

/**
 * How long a client waits until the node that its message concerns has it, in milliseconds: longer than a node needs to
 * reconnect. Afterwards the message may still arrive.
 */
const confirmMs = 10_000

/**
 * Brings messages of clients that expect no answer to the node that they concern. A promise: whether the other node has
 * the message, or is gone for ever. `undefined`: the message concerns this node.
 */
export interface ClientMessages {
  notification(session: FrontSession, notification: Notification): Promise<boolean> | undefined
  response(session: FrontSession, response: Response): Promise<boolean> | undefined
  /** Receives the messages that clients sent to other nodes and that concern this node. */
  serve(): Promise<Closer>
  /** A node has left. */
  lost(node: string): void
  close(): void
}

/** What client messages need. */
export interface ClientMessageParts extends ReliableOutboxParts {
  readonly fabric: Fabric
  readonly asks: AskTable
  readonly home: (id: string) => HomeSession | undefined
  readonly roots: RootsChanges
  readonly cancels: Cancels
}

/** An answer of a client goes to the node that asked, a notification to the home node of the session. */
export function createClientMessages(parts: ClientMessageParts): ClientMessages {
  const { fabric, isPresent, asks, home, roots, cancels } = parts

  const take = (message: ClientMessage): void => {
    const { session: id, text } = message
    if ('ask' in message) {
      const answer = readAnswer(text)
      if (answer !== undefined) asks.answer(message.ask, id, answer)
      return
    }
    const session = home(id)
    const isRoots = message.method === methods.notificationsRootsListChanged
    if (session !== undefined && isRoots) roots.changed(session, text)
  }
  const outboxes = createReliableOutboxes<ClientMessage>(parts, {
    service: serviceNames.clientMessage,
    data: 'client_message',
    read: readClientMessage,
    take,
  })

  const send = async (node: string, message: ClientMessage): Promise<boolean> => {
    // A client may have invented the name of the node.
    if (!(await isPresent(node))) return true
    await outboxes.send(node, message)
    return outboxes.arrived(node)
  }
  const sendInTime = async (node: string, message: ClientMessage): Promise<boolean> => {
    const sent = send(node, message)
    return (await settlesWithin(sent, confirmMs)) && sent
  }

  return {
    notification(session, { method: name, params }) {
      const method = canonicalMethod(session.tenant.profile, name)
      if (method === methods.notificationsCancelled) {
        cancels.anywhere(session, params === undefined ? undefined : idOf(member(params, 'requestId')))
        return undefined
      }
      if (method !== methods.notificationsRootsListChanged) return undefined
      const text = params === undefined ? '' : printPayload(params)
      const own = home(session.id)
      if (own === undefined) return sendInTime(session.home, { session: session.id, method, text })
      roots.changed(own, text)
      return undefined
    },
    response(session, response) {
      const askId = response.id === undefined ? undefined : requestIdValue(response.id)
      if (typeof askId !== 'string') return undefined
      const answer: Answer = response.kind === 'result' ? { result: response.result } : { error: response.error }
      if (asks.answer(askId, session.id, answer)) return undefined
      const id = readNodeId(askId)
      if (id.kind === 'foreign' || id.node === fabric.node) return undefined
      return sendInTime(id.node, { session: session.id, ask: askId, text: printAnswer(answer) })
    },
    serve: () => outboxes.serve(),
    lost: (node) => outboxes.lost(node),
    close: () => outboxes.close(),
  }
}
