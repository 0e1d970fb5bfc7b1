import {
  type Answer,
  type AskOptions,
  type Client,
  isJsonObject,
  isMcpMethod,
  type Log,
  methods,
  payloadOf,
  printPayload,
  type Request,
  type RequestId,
  requestIdValue,
} from '@junctor/plugin-sdk/link'
import type { Attribution } from './attribute.ts'
import { upstreamError } from './errors.ts'

/** Sends the answer to a request of the upstream, on the connection that it came from. */
export type Respond = (id: RequestId, answer: Answer) => void

/** The requests of one upstream that wait for an answer. */
export interface UpstreamRequests {
  /**
   * Answers a request: a ping immediately, a client request through the client it belongs to, others with an error. The
   * gateway decides whether one outside MCP reaches the client.
   */
  take(request: Request, receiver: Attribution, respond: Respond): void
  /** Called when the upstream cancels a request. Unknown ids are ignored. */
  withdraw(id: RequestId): void
  /** Cancels every open request. */
  close(): void
}

/** A receiver that can be asked. */
type KnownReceiver = Exclude<Attribution, { kind: 'no_client' }>

const questions: ReadonlySet<string> = new Set([
  methods.samplingCreateMessage,
  methods.elicitationCreate,
  methods.rootsList,
])

/**
 * The most requests of one upstream that wait for answers: each takes memory until its timeout. The clients of a link that many
 * share have enough of them.
 */
const mostWaiting = 4_096

/** How long their parameters may be together, in characters: two of the longest messages. One alone may have any length. */
const mostWaitingSize = 32 * 1024 * 1024

/**
 * @param client the link's client, for requests outside any call
 * @param log receives exceptions of the client; the upstream learns only that the request failed
 */
export function createUpstreamRequests(client: Client, log: Log): UpstreamRequests {
  const open = new Map<RequestId, AbortController>()
  // Not the size of the map: an upstream may use an id again while its request waits.
  let waiting = 0
  let waitingSize = 0

  async function ask(request: Request, receiver: KnownReceiver): Promise<Answer | undefined> {
    const controller = new AbortController()
    open.set(request.id, controller)
    const { method, params } = request
    const asked = receiver.kind === 'exchange' ? receiver.exchange : client
    try {
      const answer = await asked.ask({ method, params }, optionsFor(request, receiver, controller.signal))
      return controller.signal.aborted ? undefined : answer
    } finally {
      // Another request of the upstream may have its id by now.
      if (open.get(request.id) === controller) open.delete(request.id)
    }
  }

  async function relay(request: Request, receiver: KnownReceiver, respond: Respond): Promise<void> {
    const size = sizeOf(request)
    waiting += 1
    waitingSize += size
    try {
      const given = await ask(request, receiver)
      if (given !== undefined) respond(request.id, given)
    } catch (error) {
      const about = receiver.kind === 'exchange' ? { exchange: receiver.exchange.id } : {}
      log.error('a question of a backend could not be asked', { method: request.method, ...about, error })
      respond(request.id, { error: upstreamError('internal_error', request.method) })
    } finally {
      waiting -= 1
      waitingSize -= size
    }
  }

  const fits = (request: Request): boolean => waiting === 0 || waitingSize + sizeOf(request) <= mostWaitingSize

  return {
    take(request, receiver, respond) {
      const { id, method } = request
      if (method === methods.ping) respond(id, { result: payloadOf({}) })
      else if (isMcpMethod(method) && !questions.has(method))
        respond(id, { error: upstreamError('method_not_found', method) })
      else if (hasArray(request)) respond(id, { error: upstreamError('invalid_params', method) })
      else if (receiver.kind === 'no_client') respond(id, { error: upstreamError('ask_not_supported', method) })
      else if (waiting >= mostWaiting || !fits(request)) respond(id, { error: upstreamError('overloaded', method) })
      else void relay(request, receiver, respond)
    },
    withdraw(id) {
      open.get(id)?.abort()
      open.delete(id)
    },
    close() {
      for (const controller of open.values()) controller.abort()
      open.clear()
    },
  }
}

/** A client would read no valid request, and never answer. */
function hasArray({ params }: Request): boolean {
  return params !== undefined && !isJsonObject(params.value())
}

function optionsFor({ id, method }: Request, receiver: KnownReceiver, signal: AbortSignal): AskOptions {
  // Roots belong to the client, not to a request: servers ask for them at any time, so the call is only a guess.
  const guessed = receiver.kind === 'exchange' && (receiver.guessed || method === methods.rootsList)
  const key = requestIdValue(id)
  return { signal, guessed, ...(typeof key === 'string' && { key }) }
}

/** Its parameters are printed for the client anyway, and only once. */
function sizeOf({ params }: Request): number {
  return params === undefined ? 0 : printPayload(params).length
}
