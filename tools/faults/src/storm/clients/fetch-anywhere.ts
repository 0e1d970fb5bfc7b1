import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import { errorOutcome, type Outcome } from '../ledger/outcome.ts'
import type { Anywhere } from './storm-client.ts'

/** A request that came to nothing, with what it means for its call. */
export class Unanswered extends Error {
  readonly outcome: Outcome

  constructor(outcome: Outcome) {
    super(JSON.stringify(outcome))
    this.outcome = outcome
  }
}

/** How long a client tries to have its answer to a question taken, and how often, in milliseconds: it is waited for as long. */
const answerMs = 10_000
const againMs = 100

/**
 * Sends a request to some gateway: to the next one while nobody listens, as browsers and load balancers do. What cannot
 * be sent, or gets no answer, rejects with {@link Unanswered}, and so does a POST that is turned away.
 *
 * An answer to a question is taken once, so it is sent again when the gateway that had it was killed, or could not take
 * it: without a 202 nobody has promised to bring it to the node that asked.
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

/** Whether this is what a client was asked for, and no request of its own. */
function isAnswer({ method, body }: RequestInit): boolean {
  if (method !== 'POST' || typeof body !== 'string') return false
  const message = JSON.parse(body) as JsonObject
  return message['method'] === undefined && message['id'] !== undefined
}

/** Whether the session is, that was asked. */
function isGone(outcome: Outcome): boolean {
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

/** What a rejected call means. `otherwise` is for what is neither an error of the gateway's nor of a connection. */
export function outcomeOfRejection(error: unknown, otherwise: () => Outcome): Outcome {
  if (error instanceof Unanswered) return error.outcome
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  if (cause instanceof Unanswered) return cause.outcome
  // What `fetch` says of a body that ends too soon.
  if (error instanceof TypeError && error.message === 'terminated') return { kind: 'lost', what: causeOf(error) }
  return typeof code === 'number' && !isTimeout(error) ? errorOutcome(error) : otherwise()
}

/** Both SDKs say so when they have waited long enough; the first one with a code of the wire. */
function isTimeout(error: unknown): boolean {
  return (error as Error).message.includes('Request timed out')
}

function httpStatus(status: number): string {
  return `HTTP ${status}`
}

async function refusalOf(response: Response): Promise<Outcome> {
  const text = await response.text()
  // What is never answered, a notification, is refused by its status alone.
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

/** The innermost reason, which says most. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  return error.cause === undefined ? `${code ?? error.name}: ${error.message}` : causeOf(error.cause)
}
