import type { IncomingHttpHeaders } from 'node:http'
import { headers as names, mediaTypes, type Revision } from '@junctor/protocol'

/** Visible ASCII (2025-11-25, Streamable HTTP, "Session Management"). */
const sessionIdForm = /^[\u0021-\u007e]+$/

/** The headers of one session's requests: those of its origin, and which session and revision it is once that is known. */
export class SessionHeaders {
  readonly #origin: readonly string[]
  #sessionId: string | undefined
  #revision: Revision | undefined
  #post: string[]

  /** @param origin names and values of what is sent with every request */
  constructor(origin: readonly string[]) {
    this.#origin = origin
    this.#post = this.#forPost()
  }

  get hasSession(): boolean {
    return this.#sessionId !== undefined
  }

  /** Made once, not for each message. */
  get post(): string[] {
    return this.#post
  }

  /** For a stream, or for what came on it after the event. */
  get(lastEventId: string | undefined): string[] {
    const all = [...this.#origin, names.accept, mediaTypes.eventStream, ...this.#session()]
    if (lastEventId !== undefined) all.push(names.lastEventId, lastEventId)
    return all
  }

  /** For the end of the session. */
  delete(): string[] {
    return [...this.#origin, ...this.#session()]
  }

  /** Takes the session id from the head of the answer to `initialize`. The first one counts. */
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
