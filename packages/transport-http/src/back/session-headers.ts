import type { IncomingHttpHeaders } from 'node:http'
import { headers as names, mediaTypes, type Revision } from '@junctor/protocol'

/** Visible ASCII (2025-11-25, Streamable HTTP, "Session Management"). */
const sessionIdForm = /^[\u0021-\u007e]+$/

/** The headers of one session's requests: those of its origin, and the session id and revision once they are known. */
export class SessionHeaders {
  readonly #origin: readonly string[]
  #sessionId: string | undefined
  #revision: Revision | undefined
  #post: string[]

  /** @param origin names and values of the headers of every request, alternating */
  constructor(origin: readonly string[]) {
    this.#origin = origin
    this.#post = this.#forPost()
  }

  get hasSession(): boolean {
    return this.#sessionId !== undefined
  }

  /** The headers of a POST. The array is made once, not for each message. */
  get post(): string[] {
    return this.#post
  }

  /** The headers of a GET for the stream, or for its rest after an event. */
  get(lastEventId: string | undefined): string[] {
    const all = [...this.#origin, names.accept, mediaTypes.eventStream, ...this.#session()]
    if (lastEventId !== undefined) all.push(names.lastEventId, lastEventId)
    return all
  }

  /** The headers of the DELETE that ends the session. */
  delete(): string[] {
    return [...this.#origin, ...this.#session()]
  }

  /** Reads the session id from the headers of the answer to `initialize`. Only the first id is used. */
  opened(answer: IncomingHttpHeaders): void {
    const id = answer[names.sessionId]
    if (this.hasSession || typeof id !== 'string' || !sessionIdForm.test(id)) return
    this.#sessionId = id
    this.#post = this.#forPost()
  }

  negotiated(revision: Revision): void {
    this.#revision = revision
    this.#post = this.#forPost()
  }

  #forPost(): string[] {
    const accepted = `${mediaTypes.json}, ${mediaTypes.eventStream}`
    return [...this.#origin, names.contentType, mediaTypes.json, names.accept, accepted, ...this.#session()]
  }

  #session(): string[] {
    const all: string[] = []
    if (this.#sessionId !== undefined) all.push(names.sessionId, this.#sessionId)
    if (this.#revision !== undefined) all.push(names.protocolVersion, this.#revision)
    return all
  }
}
