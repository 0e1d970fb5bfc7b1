import { setTimeout } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'

/** How a call ended, and with how many retries. */
export interface RetriedCall {
  /** Undefined: it succeeded. Else the last answer. */
  readonly failure: string | undefined
  readonly result: JsonObject | undefined
  /** The reasons for its retries, in order. */
  readonly retries: readonly string[]
}

/** The result of one attempt: a final answer, or a reason to retry. */
type Tried =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'again'; readonly why: string }

/** How long a call is retried, and how long a client waits between attempts, in milliseconds. */
const timeoutMs = 15_000
const pauseMs = 50

/**
 * A client that retries only what is safe to retry: requests that were refused with 503, lost connections, and errors
 * with
 * `retryable`. When its session is gone (404), it opens another, as the protocol requires. Each request goes to the
 * next URL.
 */
export class RetryingClient {
  readonly #urls: readonly string[]
  #turn: number
  #ids = 0
  #session: string | undefined

  /** @param turn the index of the first URL */
  constructor(urls: readonly string[], turn = 0) {
    this.#urls = urls
    this.#turn = turn
  }

  call(name: string, args: JsonObject): Promise<RetriedCall> {
    return this.#until(() => this.#ask('tools/call', { name, arguments: args }))
  }

  async #until(attempt: () => Promise<Tried>): Promise<RetriedCall> {
    const until = performance.now() + timeoutMs
    const retries: string[] = []
    for (;;) {
      const tried = await attempt()
      if (tried.kind === 'result') return { failure: undefined, result: tried.result, retries }
      if (tried.kind === 'failed') return { failure: tried.why, result: undefined, retries }
      retries.push(tried.why)
      if (performance.now() > until) return { failure: `gave up: ${retries.join(', ')}`, result: undefined, retries }
      await setTimeout(pauseMs)
    }
  }

  /** The same as a task: created first, collected later. */
  callAsTask(name: string, args: JsonObject): Promise<RetriedCall> {
    let task: string | undefined
    return this.#until(async () => {
      if (task === undefined) {
        const accepted = await this.#ask('tools/call', { name, arguments: args, task: { ttl: 60_000 } })
        if (accepted.kind !== 'result') return accepted
        task = (accepted.result['task'] as { taskId: string }).taskId
      }
      return this.#ask('tasks/result', { taskId: task })
    })
  }

  async #ask(method: string, params: JsonObject): Promise<Tried> {
    if (this.#session === undefined) {
      const opened = await this.#post('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'retrying', version: '1.0.0' },
      })
      if (opened.kind !== 'result') return opened
    }
    return this.#post(method, params)
  }

  async #post(method: string, params: JsonObject): Promise<Tried> {
    const url = this.#urls[this.#turn++ % this.#urls.length] as string
    const session = this.#session
    let response: Response
    let text: string
    try {
      response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(session !== undefined && { 'mcp-session-id': session }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: ++this.#ids, method, params }),
      })
      text = await response.text()
    } catch {
      return { kind: 'again', why: 'connection' }
    }
    const message = messageIn(response, text)
    if (session !== undefined && response.status === 404) {
      this.#session = undefined
      return { kind: 'again', why: 'session' }
    }
    if (response.status === 503) return { kind: 'again', why: '503' }
    // A stream that ends without an answer has lost its connection.
    if (message === undefined && response.ok) return { kind: 'again', why: 'connection' }
    return this.#judge(response, message, text)
  }

  #judge(response: Response, message: JsonObject | undefined, text: string): Tried {
    const { result, error } = (message ?? {}) as { result?: JsonObject; error?: JsonObject }
    if (result !== undefined) {
      this.#session = response.headers.get('mcp-session-id') ?? this.#session
      return { kind: 'result', result }
    }
    const data = error?.['data'] as JsonObject | undefined
    if (data?.['retryable'] === true) return { kind: 'again', why: 'retryable' }
    return { kind: 'failed', why: `${response.status} ${text}` }
  }
}

/** The answer in a body: JSON, or the last message of a stream. */
function messageIn(response: Response, text: string): JsonObject | undefined {
  try {
    if (response.headers.get('content-type')?.includes('text/event-stream') !== true)
      return JSON.parse(text) as JsonObject
    const data = text.split('\n').filter((line) => line.startsWith('data: {'))
    return data
      .map((line) => JSON.parse(line.slice(6)) as JsonObject)
      .findLast((message) => 'result' in message || 'error' in message)
  } catch {
    return undefined
  }
}
