import type { HttpResponse } from './http-response.ts'

/** A connection that carries one request at a time. */
export interface Lane {
  /** Called with each answer, or when there will be none. Set before the first `send`. */
  listener: LaneListener | undefined
  /** Sends the bytes of one request; send the next one when this one is answered. */
  send(request: Uint8Array): void
  close(): void
}

/** An answer. Answers that do not arrive over HTTP have only a body. */
export type LaneAnswer = Pick<HttpResponse, 'body'> & Partial<HttpResponse>

/**
 * Takes the end of each request: its answer, or why there is none. `failed` is also called when the server closes an
 * idle connection.
 */
export interface LaneListener {
  answered(answer: LaneAnswer): void
  failed(reason: string): void
}

/** Sends one request and waits for its answer, without a measurement. */
export function ask(lane: Lane, request: Uint8Array): Promise<LaneAnswer> {
  return new Promise((resolve, reject) => {
    lane.listener = { answered: resolve, failed: (reason) => reject(new Error(reason)) }
    lane.send(request)
  })
}
