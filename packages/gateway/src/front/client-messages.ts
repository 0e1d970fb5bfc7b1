import type { Answer, Fabric } from '@junctor/exchange'
import type { Notification, Response } from '@junctor/jsonrpc'
import { isJsonObject, member, payloadFromText, printPayload, requestIdValue } from '@junctor/jsonrpc'
import type { RequestId } from '@junctor/jsonrpc'
import { methodMeant, methods } from '@junctor/protocol'
import type { FrontSession } from '../sessions/front-session.ts'
import type { HomeSession } from '../sessions/home-session.ts'
import type { AskTable } from './ask-table.ts'
import { idOf } from './cancel-request.ts'
import { toControl } from './control.ts'
import type { RootsChanges } from './roots-changes.ts'

/** What clients send without expecting an answer, brought to where it is meant for. */
export interface ClientMessages {
  notification(session: FrontSession, notification: Notification): void
  response(session: FrontSession, response: Response): void
  /** Ends a request of the session wherever it runs. What is not the session's, or is over, is left alone. */
  cancelAnywhere(session: FrontSession, id: RequestId | undefined): void
  /** A cancel that reached this node, from a client or from the node it reached first. */
  cancel(session: FrontSession, id: RequestId): boolean
  /** An answer that another node has received, as its text. */
  answerText(session: string, ask: string, text: string): void
  /** The roots of a session that is at home here have changed. `text` is the notification's params, empty for none. */
  rootsChanged(session: HomeSession, text: string): void
}

export function createClientMessages(
  fabric: Fabric,
  asks: AskTable,
  home: (id: string) => HomeSession | undefined,
  roots: RootsChanges,
  cancelJob: (session: string, id: RequestId) => boolean,
): ClientMessages {
  const messages: ClientMessages = {
    notification(session, { method: name, params }) {
      const method = methodMeant(session.tenant.profile, name)
      if (method === methods.notificationsCancelled) {
        return messages.cancelAnywhere(session, params === undefined ? undefined : idOf(member(params, 'requestId')))
      }
      if (method !== methods.notificationsRootsListChanged) return
      const text = params === undefined ? '' : printPayload(params)
      const own = home(session.id)
      if (own !== undefined) messages.rootsChanged(own, text)
      else void fabric.send(session.home, toControl({ kind: 'notify', session: session.id, method, text }))
    },
    response(session, response) {
      const askId = response.id === undefined ? undefined : requestIdValue(response.id)
      if (typeof askId !== 'string') return
      const answer: Answer = response.kind === 'result' ? { result: response.result } : { error: response.error }
      if (asks.answer(askId, session.id, answer)) return
      const [node = ''] = askId.split('-', 1)
      if (node === fabric.node || node === '') return
      void fabric.send(node, toControl({ kind: 'answer', session: session.id, ask: askId, text: answerText(answer) }))
    },
    cancelAnywhere(session, id) {
      if (id === undefined || messages.cancel(session, id)) return
      void fabric.send('all', toControl({ kind: 'cancel', session: session.id, id }))
    },
    cancel(session, id) {
      const exchange = session.inFlight?.get(id)
      if (exchange === undefined) return cancelJob(session.id, id)
      if (exchange.request.method === methods.initialize) return false
      exchange.end('cancelled')
      return true
    },
    answerText(session, ask, text) {
      const answer = readAnswer(text)
      if (answer !== undefined) asks.answer(ask, session, answer)
    },
    rootsChanged: (session, text) => roots.changed(session, text),
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
