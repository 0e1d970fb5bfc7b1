import type { ServerResponse } from 'node:http'
import type { ErrorReporter } from '@junctor/contracts'
import { answerJson } from './answer.ts'
import type { ResponseHeaders } from '../headers/cors.ts'

/** An answer that is not written yet. */
interface WaitingAnswer {
  readonly response: ServerResponse
  readonly status: number
  readonly text: string
  readonly more: ResponseHeaders | undefined
}

/**
 * The most answers that are written together. The first of them waits some microseconds for each of the others, and a
 * larger number saves no more time.
 */
export const mostTogether = 16

/**
 * Writes the answers of one turn of the event loop together, at its end. One turn reads the requests of many connections,
 * and one read of a backend brings many answers. Each write runs the network code of the system, which drives the code of
 * this program out of the processor's caches: written one by one, a call takes half as much time again.
 */
export class TurnAnswers {
  readonly #reportError: ErrorReporter
  #waiting: WaitingAnswer[] = []

  /** @param reportError gets the error of an answer that cannot be written; the others are written */
  constructor(reportError: ErrorReporter) {
    this.#reportError = reportError
  }

  add(response: ServerResponse, status: number, text: string, more: ResponseHeaders | undefined): void {
    const count = this.#waiting.push({ response, status, text, more })
    if (count === 1) setImmediate(this.flush)
    else if (count === mostTogether) this.flush()
  }

  /** Writes all that wait now. */
  readonly flush = (): void => {
    const answers = this.#waiting
    this.#waiting = []
    for (const { response, status, text, more } of answers) {
      try {
        answerJson(response, status, text, more)
      } catch (error) {
        this.#reportError('connection', error, { transport: 'http' })
        response.destroy()
      }
    }
  }
}
