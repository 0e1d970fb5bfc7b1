import {
  encodeHeaderText,
  type Exchange,
  headers,
  type Message,
  methods,
  mirroredName,
  type Notification,
  type ParameterHeader,
  parameterHeaderValues,
  type Payload,
  type Request,
  requestId,
  type Response,
} from '@junctor/plugin-sdk/link'
import {
  type AnswerListener,
  describeFailure,
  failureSituation,
  type HttpFailure,
  type HttpSession,
  type McpHttpClient,
} from '@junctor/transport-http/back'
import { mayRefuseEra } from '../may-refuse-era.ts'
import { statelessRevision } from './declare.ts'
import type { RequestListener, SentRequest, StatelessWire } from './stateless-wire.ts'

/** The arguments that tools want in headers, by the tool's name. All links to a server share them. */
export type KnownParameters = Map<string, readonly ParameterHeader[]>

/** Requests of 2026-07-28 over HTTP: a POST for each, whose headers repeat it. */
export class HttpWire implements StatelessWire {
  readonly correlates = true
  readonly #session: HttpSession
  readonly #closed = Promise.withResolvers<Error | undefined>()
  #lastId = 0

  constructor(client: McpHttpClient, parameters: KnownParameters) {
    this.#session = client.createSession((message) => mirrors(message, parameters))
  }

  get closed(): Promise<Error | undefined> {
    return this.#closed.promise
  }

  send(method: string, params: Payload, listener: RequestListener): SentRequest {
    this.#lastId += 1
    const request: Request = { kind: 'request', dialect: '2.0', id: requestId(this.#lastId), method, params }
    const answer = this.#session.request(request, new HttpAnswer(listener))
    // A closed stream is the cancellation (2026-07-28, Streamable HTTP, "Cancellation").
    return { id: request.id, cancel: () => answer.abandon() }
  }

  async close(): Promise<void> {
    this.#closed.resolve(undefined)
    await this.#session.close()
  }
}

class HttpAnswer implements AnswerListener {
  readonly exchange: Exchange | undefined
  readonly #listener: RequestListener

  constructor(listener: RequestListener) {
    this.exchange = listener.exchange
    this.#listener = listener
  }

  message(message: Request | Notification): void {
    // A server of this revision sends no requests.
    if (message.kind === 'notification') this.#listener.notification(message)
  }

  answered(response: Response): void {
    this.#listener.answered(response)
  }

  failed(failure: HttpFailure): void {
    const mayBeOlder = mayRefuseEra(failure)
    this.#listener.failed({ ...failureSituation(failure), problem: describeFailure(failure), mayBeOlder })
  }
}

/** The headers that repeat a request (2026-07-28, Streamable HTTP, "Standard Request Headers" and "Custom Headers"). */
function mirrors(message: Message, parameters: KnownParameters): Readonly<Record<string, string>> {
  if (message.kind !== 'request') return { [headers.protocolVersion]: statelessRevision }
  const name = mirroredName(message)
  const wanted = message.method === methods.toolsCall && name !== undefined ? parameters.get(name) : undefined
  return {
    [headers.protocolVersion]: statelessRevision,
    [headers.method]: message.method,
    ...(name !== undefined && { [headers.name]: encodeHeaderText(name) }),
    ...(wanted !== undefined && parameterHeaderValues(wanted, message.params)),
  }
}
