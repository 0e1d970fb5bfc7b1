import {
  type AskEvent,
  Renderer,
  type ExchangeEvent,
  type OpenExchange,
  type Outlet,
  type Progress,
  type View,
} from '@junctor/exchange'
import { type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { methods, wireError } from '@junctor/protocol'
import { exactPayload } from '../printed-payload.ts'
import { exactValueOf } from '../changed-numbers.ts'
import { publicMessage } from '../public-message.ts'
import { ToolResponse } from '../tool-response.ts'
import type { CallOptions } from './call-options.ts'
import { RequestError } from './request-error.ts'

/** A message as a renderer prints it. */
interface Received {
  readonly method?: string
  readonly params?: JsonObject
  readonly result?: JsonValue
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

type Answerer = (params: JsonObject) => JsonObject | Promise<JsonObject>

/**
 * The client's end of one request. It renders each event as for a real client, parses it as a client would, and hands
 * it to the test.
 */
export class ClientOutlet implements Outlet {
  readonly view: View
  readonly forwards = true
  readonly #exchange: OpenExchange
  readonly #options: CallOptions
  readonly #renderer: Renderer
  #response: Received = {}
  /** What a function of the test has thrown: the backend must not see it. */
  #fault: { readonly thrown: unknown } | undefined

  constructor(view: View, exchange: OpenExchange, options: CallOptions) {
    this.view = view
    this.#exchange = exchange
    this.#options = options
    this.#renderer = new Renderer(view)
  }

  write(event: ExchangeEvent): undefined {
    if (event.kind === 'ask' && event.to === 'gateway') {
      void this.#callTool(event)
      return
    }
    const frame = this.#renderer.render(event)
    this.#guard(() => {
      if (event.kind === 'chunk') this.#options.onChunk?.(event.data)
      if (frame === undefined || frame.text === '') return
      const message = JSON.parse(frame.text) as Received
      if (event.kind === 'ask') void this.#answer(event.id, message)
      else this.#receive(message)
    })
  }

  /**
   * The result of the request.
   *
   * @throws RequestError when the answer was an error
   * @throws the value that a function of the test has thrown, if one has
   */
  result(): JsonValue {
    if (this.#fault !== undefined) throw this.#fault.thrown
    const { error, result = {} } = this.#response
    if (error !== undefined) throw new RequestError(error.message, error.code, error.data)
    return result
  }

  #receive(message: Received): void {
    const { method, params = {} } = message
    if (method === undefined) this.#response = message
    else if (method === methods.notificationsMessage) this.#options.onLog?.(params)
    else if (method === methods.notificationsProgress) {
      const { progressToken: _, ...progress } = params
      this.#options.onProgress?.(progress as unknown as Progress)
    }
  }

  async #answer(id: string, { method = '', params = {} }: Received): Promise<void> {
    const answerer = this.#answererOf(method)
    const refusal = { error: wireError('ask_not_supported', this.view) }
    if (answerer === undefined) return this.#exchange.answer(id, refusal)
    try {
      this.#exchange.answer(id, { result: exactPayload(await answerer(params)) })
    } catch (thrown) {
      this.#fault ??= { thrown }
      this.#exchange.answer(id, refusal)
    }
  }

  async #callTool({ id, request }: AskEvent): Promise<void> {
    const { onCallTool } = this.#options
    const { name, arguments: input } = (exactValueOf(request.params) ?? request.params?.value() ?? {}) as {
      name: string
      arguments: JsonObject
    }
    if (onCallTool === undefined) {
      return this.#exchange.answer(id, { error: wireError('unknown_tool', this.view, { name }) })
    }
    const result = await answerOf(() => onCallTool(name, input))
    this.#exchange.answer(id, { result: exactPayload(result as JsonObject) })
  }

  #answererOf(method: string): Answerer | undefined {
    const { onElicit, onSample, onRoots } = this.#options
    if (method === methods.elicitationCreate) return onElicit
    if (method === methods.samplingCreateMessage) return onSample
    if (method !== methods.rootsList || onRoots === undefined) return undefined
    return async () => ({ roots: (await onRoots()) as unknown as JsonObject[] })
  }

  #guard(work: () => void): void {
    try {
      work()
    } catch (thrown) {
      this.#fault ??= { thrown }
    }
  }
}

async function answerOf(tool: () => string | ToolResponse | Promise<string | ToolResponse>): Promise<ToolResponse> {
  try {
    const answer = await tool()
    return typeof answer === 'string' ? ToolResponse.text(answer) : answer
  } catch (error) {
    return ToolResponse.error(publicMessage(error) ?? 'The tool failed')
  }
}
