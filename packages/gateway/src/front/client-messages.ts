import type { Answer } from '@junctor/exchange'
import type { Closer, Fabric, Log } from '@junctor/contracts'
import type { Notification, Response, RequestId } from '@junctor/jsonrpc'
import { isJsonObject, member, payloadFromText, printPayload, requestIdValue } from '@junctor/jsonrpc'
import { methodMeant, methods } from '@junctor/protocol'
import type { ParcelParts } from '../nodes/parcels.ts'
import { createParcels } from '../nodes/parcels.ts'
import { serviceNames } from '../nodes/service-names.ts'
import type { FrontSession } from '../sessions/front-session.ts'
import type { HomeSession } from '../sessions/home-session.ts'
import type { AskTable } from '../sessions/ask-table.ts'
import { idOf } from './cancel-request.ts'
import type { SessionControl } from '../sessions/control.ts'
import { toControl } from '../sessions/control.ts'
import type { RootsChanges } from './roots-changes.ts'
import type { ClientMessage } from './client-message.ts'
import { readClientMessage } from './client-message.ts'

/** What clients send without expecting an answer, brought to where it is meant for. */
export interface ClientMessages {
  notification(session: FrontSession, notification: Notification): void
  response(session: FrontSession, response: Response): void
  /** Ends a request of the session wherever it runs. What is not the session's, or is over, is left alone. */
  cancelAnywhere(session: FrontSession, id: RequestId | undefined): void
  /** A cancel that reached this node, from a client or from the node it reached first. */
  cancel(session: FrontSession, id: RequestId): boolean
  /** Takes what clients sent to other nodes and is for this one. */
  serve(): Promise<Closer>
  /** A node has left. */
  lost(node: string): void
  close(): void
}

/** What client messages stand on. */
export interface ClientMessageParts extends ParcelParts {
  readonly fabric: Fabric
  readonly log: Log
  readonly asks: AskTable
  readonly home: (id: string) => HomeSession | undefined
  readonly roots: RootsChanges
  readonly cancelJob: (session: string, id: RequestId) => boolean
}

export function createClientMessages(parts: ClientMessageParts): ClientMessages {
  const { fabric, isThere, log, asks, home, roots, cancelJob } = parts

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
  const parcels = createParcels<ClientMessage>(parts, {
    service: serviceNames.clientMessage,
    read: readClientMessage,
    take,
  })

  /** The name of the node may be a client's invention. */
  const pass = async (node: string, message: ClientMessage): Promise<void> => {
    if (await isThere(node)) await parcels.send(node, message)
  }

  /** A hint: it may be lost. An id may be larger than what nodes can say to each other so. */
  const sayToAll = (control: SessionControl): void => {
    fabric.send('all', toControl(control)).catch((error: unknown) => {
      log.warn('other nodes could not be told', { kind: control.kind, error })
    })
  }

  const messages: ClientMessages = {
    notification(session, { method: name, params }) {
      const method = methodMeant(session.tenant.profile, name)
      if (method === methods.notificationsCancelled) {
        return messages.cancelAnywhere(session, params === undefined ? undefined : idOf(member(params, 'requestId')))
      }
      if (method !== methods.notificationsRootsListChanged) return
      const text = params === undefined ? '' : printPayload(params)
      const own = home(session.id)
      if (own !== undefined) roots.changed(own, text)
      else void pass(session.home, { session: session.id, method, text })
    },
    response(session, response) {
      const askId = response.id === undefined ? undefined : requestIdValue(response.id)
      if (typeof askId !== 'string') return
      const answer: Answer = response.kind === 'result' ? { result: response.result } : { error: response.error }
      if (asks.answer(askId, session.id, answer)) return
      const [node = ''] = askId.split('-', 1)
      if (node === fabric.node || node === '') return
      void pass(node, { session: session.id, ask: askId, text: answerText(answer) })
    },
    cancelAnywhere(session, id) {
      if (id === undefined || messages.cancel(session, id)) return
      sayToAll({ kind: 'cancel', session: session.id, id })
    },
    cancel(session, id) {
      const exchange = session.inFlight?.get(id)
      if (exchange === undefined) return cancelJob(session.id, id)
      if (exchange.request.method === methods.initialize) return false
      exchange.end('cancelled')
      return true
    },
    serve: () => parcels.serve(),
    lost: (node) => parcels.lost(node),
    close: () => parcels.close(),
  }
  return messages
}

function answerText(answer: Answer): string {
  if ('result' in answer) return `{"result":${printPayload(answer.result)}}`
  const { code, message, data } = answer.error
  const said = data === undefined ? '' : `,"data":${printPayload(data)}`
  return `{"error":{"code":${code},"message":${JSON.stringify(message)}${said}}}`
}

function readAnswer(text: string): Answer | undefined {
  const payload = payloadFromText(text)
  const result = member(payload, 'result')
  if (result !== undefined) return { result }
  const error = member(payload, 'error')
  const value = error?.value()
  if (error === undefined || !isJsonObject(value)) return undefined
  const { code, message } = value
  if (typeof code !== 'number' || typeof message !== 'string') return undefined
  const data = member(error, 'data')
  return { error: data === undefined ? { code, message } : { code, message, data } }
}
