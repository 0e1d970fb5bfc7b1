import type { HttpResponse } from './http-response.ts'

/** One request at a time, to a server and back. */
export interface Lane {
  /** Told of each answer, or that there will be none. Set before the first `send`. */
  listener: LaneListener | undefined
  /** Sends bytes that are one request; the next one when this one is answered. */
  send(request: Uint8Array): void
  close(): void
}

/** What comes back. Answers that do not come over HTTP have only a body. */
export type Answer = Pick<HttpResponse, 'body'> & Partial<HttpResponse>

export interface LaneListener {
  answered(answer: Answer): void
  failed(reason: string): void
}

/** Sends one request and waits for its answer. For what is not measured. */
export function ask(lane: Lane, request: Uint8Array): Promise<Answer> {
  return new Promise((resolve, reject) => {
    lane.listener = { answered: resolve, failed: (reason) => reject(new Error(reason)) }
    lane.send(request)
  })
}
