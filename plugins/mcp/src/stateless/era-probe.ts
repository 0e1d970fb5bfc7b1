import {
  type Message,
  methods,
  numberedId,
  type Receiver,
  requestId,
  type Response,
  type ServerInfo,
  settlesWithin,
  type Transport,
} from '@junctor/plugin-sdk/link'
import { orAborted } from '../link/or-aborted.ts'
import { declared } from './declare.ts'
import { readDiscovery } from './read-discovery.ts'

/** What a server has answered to the question for its era. */
export type ProbeEnd =
  | { readonly kind: 'stateless'; readonly server: ServerInfo }
  | { readonly kind: 'older' }
  | { readonly kind: 'foreign'; readonly versions: readonly string[] }
  /** It has not answered yet: it starts slowly, or ignores what it does not know. */
  | { readonly kind: 'silent' }
  /** The connection has ended. */
  | { readonly kind: 'gone' }

/** How long a moment is, in milliseconds: then the handshake is tried as well. */
const probeTimeoutMs = 1_000

/**
 * The ids of links begin with 1: a late answer is never taken for the answer to another request. A number, because bridges
 * such as supergateway lose every other id.
 */
const id = requestId(0)

/** Asks the server on a connection for its era, and passes all other messages on. */
export class EraProbe implements Receiver {
  readonly #answered = Promise.withResolvers<ProbeEnd>()
  #target: Receiver | undefined
  /** Messages that came before there was a receiver. */
  #early: Message[] = []
  /** The information of the server about itself, if it speaks 2026-07-28. */
  found: ServerInfo | undefined
  /** Whether the connection has ended. */
  gone = false

  /** Sends the question. Called once. */
  ask(transport: Transport): void {
    const params = declared(undefined, { capabilities: {} })
    void transport.send({ kind: 'request', dialect: '2.0', id, method: methods.serverDiscover, params })
    void this.#watch(transport)
  }

  /** Waits a moment for the answer. Rejects when the signal aborts. */
  async soon(signal: AbortSignal): Promise<ProbeEnd> {
    const isAnswered = await settlesWithin(this.late(signal), probeTimeoutMs)
    return isAnswered ? this.#answered.promise : { kind: 'silent' }
  }

  /** Waits for the answer for as long as it takes. Rejects when the signal aborts. */
  late(signal: AbortSignal): Promise<ProbeEnd> {
    return orAborted(this.#answered.promise, signal)
  }

  /** From now on, messages of the server go to this receiver. */
  passTo(target: Receiver): void {
    this.#target = target
    const early = this.#early
    this.#early = []
    for (const message of early) target.message(message)
  }

  message(message: Message): void {
    if (isAnswer(message)) this.#answer(message)
    else if (this.#target === undefined) this.#early.push(message)
    else this.#target.message(message)
  }

  async #watch(transport: Transport): Promise<void> {
    await transport.closed
    this.gone = true
    this.#answered.resolve({ kind: 'gone' })
  }

  #answer(response: Response): void {
    const discovery = readDiscovery(response)
    if (discovery.kind === 'stateless') this.found = discovery.server
    this.#answered.resolve(discovery)
  }
}

function isAnswer(message: Message): message is Response {
  const isResponse = message.kind === 'result' || message.kind === 'error'
  return isResponse && message.id !== undefined && numberedId(message.id) === id
}
