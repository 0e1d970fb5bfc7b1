import type { Fabric } from '@junctor/contracts'
import { mayHaveAsked } from '@junctor/exchange'
import {
  type Answer,
  type Notification,
  numberedId,
  payloadFromText,
  printPayload,
  requestIdValue,
  type Response,
} from '@junctor/jsonrpc'
import { settlesWithin } from '@junctor/primitives'
import { canonicalMethod, isMcpMethod, methods } from '@junctor/protocol'
import type { PresentNodes } from '../../nodes/present-nodes.ts'
import {
  createReliableOutboxes,
  type ReliableOutboxes,
  type ReliableOutboxParts,
} from '../../nodes/reliable-outboxes.ts'
import { serviceNames } from '../../nodes/service-names.ts'
import type { AskTable } from '../../sessions/asks/ask-table.ts'
import type { FrontSession } from '../../sessions/session/front-session.ts'
import type { HomeSession } from '../../sessions/session/home-session.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import { printAnswer, readAnswer } from './answer-text.ts'
import { cancelledRequest } from './cancel-request.ts'
import type { Cancels } from './cancels.ts'
import { type ClientMessage, readClientMessage } from './client-message.ts'
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
export interface ClientMessages extends Pick<ReliableOutboxes<ClientMessage>, 'serve' | 'lost' | 'close'> {
  notification(session: FrontSession, notification: Notification): Promise<boolean> | undefined
  response(session: FrontSession, response: Response): Promise<boolean> | undefined
}

/** What client messages need. */
export interface ClientMessageParts extends ReliableOutboxParts {
  readonly fabric: Fabric
  readonly nodes: Pick<PresentNodes, 'find'>
  readonly asks: AskTable
  readonly home: (id: string) => HomeSession | undefined
  readonly roots: RootsChanges
  readonly cancels: Cancels
  /** The tenants, and the endpoints of single backends. */
  readonly tenants: ReadonlyMap<string, Pick<TenantEntry, 'single'>>
  readonly upstream: Pick<Upstream, 'relay'>
}

/** An answer of a client goes to the node that asked, a notification to the home node of the session. */
export function createClientMessages(parts: ClientMessageParts): ClientMessages {
  const { asks, home, cancels, tenants } = parts

  const take = (message: ClientMessage): void => {
    const { session: id, text } = message
    if ('ask' in message) {
      const answer = readAnswer(text)
      if (answer !== undefined) asks.answer(message.ask, id, answer)
      return
    }
    const session = home(id)
    if (session !== undefined) notified(parts, session, message.method, text)
  }
  const outboxes = createReliableOutboxes<ClientMessage>(parts, {
    service: serviceNames.clientMessage,
    data: 'client_message',
    read: readClientMessage,
    take,
  })

  const { sendTo, sendToAskers } = createSending(parts, outboxes)

  return {
    notification(session, { method: name, params }) {
      const method = canonicalMethod(session.tenant.profile, name)
      if (method === methods.notificationsCancelled) {
        cancels.anywhere(session, cancelledRequest(params))
        return undefined
      }
      const isRelayed = !isMcpMethod(method) && tenants.get(session.tenant.name)?.single === true
      if (method !== methods.notificationsRootsListChanged && !isRelayed) return undefined
      const text = params === undefined ? '' : printPayload(params)
      const own = home(session.id)
      if (own === undefined) return sendTo(session.home, { session: session.id, method, text })
      notified(parts, own, method, text)
      return undefined
    },
    response(session, response) {
      const ask = response.id === undefined ? undefined : requestIdValue(numberedId(response.id))
      if (typeof ask !== 'number') return undefined
      const answer: Answer = response.kind === 'result' ? { result: response.result } : { error: response.error }
      if (asks.answer(ask, session.id, answer)) return undefined
      return sendToAskers({ session: session.id, ask, text: printAnswer(answer) })
    },
    serve: () => outboxes.serve(),
    lost: (node) => outboxes.lost(node),
    close: () => outboxes.close(),
  }
}

/** What a session's home does with a notification. Others of MCP end here. */
function notified(
  { roots, upstream }: Pick<ClientMessageParts, 'roots' | 'upstream'>,
  session: HomeSession,
  method: string,
  text: string,
): void {
  if (method === methods.notificationsRootsListChanged) return roots.changed(session, text)
  if (isMcpMethod(method)) return
  void upstream.relay(session, { method, params: text === '' ? undefined : payloadFromText(text) })
}

/** How messages are sent to other nodes. A promise: whether each node has the message, or is gone for ever. */
interface Sending {
  readonly sendTo: (node: string, message: ClientMessage) => Promise<boolean>
  /** To the other nodes that may have asked: hardly ever more than one. */
  readonly sendToAskers: (message: ClientMessage & { readonly ask: number }) => Promise<boolean>
}

function createSending(
  { fabric, isPresent, nodes }: Pick<ClientMessageParts, 'fabric' | 'isPresent' | 'nodes'>,
  outboxes: ReliableOutboxes<ClientMessage>,
): Sending {
  const send = async (node: string, message: ClientMessage): Promise<boolean> => {
    if (!(await isPresent(node))) return true
    await outboxes.send(node, message)
    return outboxes.arrived(node)
  }
  const sendTo = async (node: string, message: ClientMessage): Promise<boolean> => {
    const sent = send(node, message)
    return (await settlesWithin(sent, confirmMs)) && sent
  }
  return {
    sendTo,
    async sendToAskers(message) {
      const askers = await nodes.find((node) => mayHaveAsked(node, message.ask))
      const others = askers.filter((node) => node !== fabric.node)
      const arrived = await Promise.all(others.map((node) => sendTo(node, message)))
      return arrived.every(Boolean)
    },
  }
}
