import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import { errorOutcome, type AttemptOutcome } from '../ledger/outcome.ts'
import type { Anywhere } from './storm-client.ts'

/** A failed request, with the outcome of its call. */
export class Unanswered extends Error {
  readonly outcome: AttemptOutcome

  constructor(outcome: AttemptOutcome) {
    super(JSON.stringify(outcome))
    this.outcome = outcome
  }
}

/**
 * How long a client tries to deliver its answer to a gateway's request, and how often, in milliseconds. The request
 * waits as long.
 */
const answerMs = 10_000
const againMs = 100

/**
 * Sends a request to some gateway: to the next one when the connection is refused, as browsers and load balancers do.
 * Rejects with {@link Unanswered} when the request cannot be sent, gets no answer, or is a refused POST.
 *
 * An answer to a gateway's request is accepted once, so it is sent again when the gateway was killed or could not
 * accept it: without a 202 it was not promised to reach the node that asked.
 */
export async function fetchAnywhere(anywhere: Anywhere, init: RequestInit): Promise<Response> {
  const until = performance.now() + (isAnswer(init) ? answerMs : 0)
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      return await fetchOnce(anywhere, init)
    } catch (error) {
      const isAgain = error instanceof Unanswered && !isGone(error.outcome) && performance.now() < until
      if (!isAgain) throw error
      // oxlint-disable-next-line no-await-in-loop
      await after(againMs)
    }
  }
}

/** Whether this is an answer to a request of a gateway, and not the client's own request. */
function isAnswer({ method, body }: RequestInit): boolean {
  if (method !== 'POST' || typeof body !== 'string') return false
  const message = JSON.parse(body) as JsonObject
  return message['method'] === undefined && message['id'] !== undefined
}

/** Whether the session of the request is gone. */
function isGone(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'refused' && outcome.what === httpStatus(404)
}

async function fetchOnce(anywhere: Anywhere, init: RequestInit): Promise<Response> {
  let refused: unknown
  for (const url of anywhere.urls()) {
    try {
      // One gateway after the other.
      // oxlint-disable-next-line no-await-in-loop
      const response = await fetch(url, init)
      // oxlint-disable-next-line no-await-in-loop
      if (init.method === 'POST' && !response.ok) throw new Unanswered(await refusalOf(response))
      return response
    } catch (error) {
      if (error instanceof Unanswered || init.signal?.aborted === true) throw error
      if (!isRefused(error)) throw new Unanswered({ kind: 'lost', what: causeOf(error) })
      refused = error
    }
  }
  throw new Unanswered({ kind: 'refused', what: causeOf(refused) })
}

/**
 * The outcome of a rejected call. `otherwise` handles errors that come neither from the gateway nor from a connection.
 */
export function outcomeOfRejection(error: unknown, otherwise: () => AttemptOutcome): AttemptOutcome {
  if (error instanceof Unanswered) return error.outcome
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  if (cause instanceof Unanswered) return cause.outcome
  // The error of `fetch` for a body that ends too soon.
  if (error instanceof TypeError && error.message === 'terminated') return { kind: 'lost', what: causeOf(error) }
  return typeof code === 'number' && !isTimeout(error) ? errorOutcome(error) : otherwise()
}

/** Whether an SDK's own timeout has passed; the first SDK uses a code of the wire for it. */
function isTimeout(error: unknown): boolean {
  return (error as Error).message.includes('Request timed out')
}

function httpStatus(status: number): string {
  return `HTTP ${status}`
}

async function refusalOf(response: Response): Promise<AttemptOutcome> {
  const text = await response.text()
  // A refused notification has a status and no body.
  if (text === '') return { kind: 'refused', what: httpStatus(response.status) }
  try {
    return errorOutcome((JSON.parse(text) as JsonObject)['error'])
  } catch {
    return errorOutcome({ code: response.status, message: `HTTP ${response.status}: ${text.slice(0, 200)}` })
  }
}

function isRefused(error: unknown): boolean {
  return causeOf(error).includes('ECONNREFUSED')
}

/** The innermost cause, which is the most useful one. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  return error.cause === undefined ? `${code ?? error.name}: ${error.message}` : causeOf(error.cause)
}
