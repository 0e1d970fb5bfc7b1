import { Agent, type Dispatcher, request } from 'undici'
import { AnswerReader } from './answer-reader.ts'

/** The hand-written requests of one session over HTTP. A reader receives their answers. */
export class HttpRequests {
  readonly reader: AnswerReader
  readonly #url: string
  readonly #always: Readonly<Record<string, string>>
  readonly #agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connections: null })
  readonly #reading = new Set<Promise<void>>()
  #session: string | undefined
  #headers: Dispatcher.ResponseData['headers'] = {}

  /**
   * @param always headers of every request
   * @param onFrame called with every frame
   */
  constructor(url: string, always: Readonly<Record<string, string>>, onFrame: (frame: string) => void) {
    this.#url = url
    this.#always = always
    this.reader = new AnswerReader(onFrame)
  }

  /** The session id in the last answer that had one. */
  get session(): string | undefined {
    return this.#session
  }

  /** The headers of the last answer. */
  get headers(): Readonly<Record<string, unknown>> {
    return this.#headers
  }

  /** Resolves with the status. */
  async send(
    method: 'POST' | 'GET' | 'DELETE',
    more: Readonly<Record<string, string>> = {},
    body?: string | Uint8Array,
  ): Promise<number> {
    const answer = await request(this.#url, {
      method,
      dispatcher: this.#agent,
      headers: {
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
        ...this.#always,
        ...more,
      },
      ...(body !== undefined && { body }),
    })
    this.#headers = answer.headers
    const given = answer.headers['mcp-session-id']
    if (typeof given === 'string') this.#session = given
    const isStream = String(answer.headers['content-type']).startsWith('text/event-stream')
    // When a connection ends early, the caller that waits for the missing frame notices it.
    const done = this.reader.read(answer.body, isStream).catch(() => {})
    this.#reading.add(done)
    void done.finally(() => this.#reading.delete(done))
    return answer.statusCode
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
    await Promise.all(this.#reading)
  }
}
