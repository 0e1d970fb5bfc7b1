import type { AckMessage } from '../message/message.ts'
import { isJsonObject } from '../json/json.ts'
import { member } from '../payload/member.ts'
import { printPayload } from '../payload/payload.ts'
import { requestId, type RequestId } from '../message/request-id.ts'

/** The other ids of streamed requests, as announced by their acks (JSON-RPC 3.0 section 6.5). One for each request. */
export class StreamNames {
  readonly #requests = new Map<RequestId, RequestId>()
  readonly #streams = new Map<RequestId, RequestId>()

  /** Records the stream id from an ack of an own request. */
  learn(request: RequestId, ack: AckMessage): void {
    const stream = streamOf(ack)
    if (stream === undefined || stream === request || this.#requests.has(stream)) return
    this.forget(request)
    this.#streams.set(request, stream)
    this.#requests.set(stream, request)
  }

  /** Returns the request that is streamed under an id. */
  requestOf(stream: RequestId): RequestId | undefined {
    return this.#requests.get(stream)
  }

  /** Removes the stream id of a request that has ended. */
  forget(request: RequestId): void {
    if (this.#streams.size === 0) return
    const stream = this.#streams.get(request)
    if (stream === undefined) return
    this.#streams.delete(request)
    this.#requests.delete(stream)
  }
}

/** Returns the id of the stream that an ack announces: `ack.stream.id`, exactly as written. */
function streamOf({ stream, info }: AckMessage): RequestId | undefined {
  const announced = stream === true && info !== undefined ? member(info, 'stream') : undefined
  if (announced === undefined || !isJsonObject(announced.value())) return undefined
  const id = member(announced, 'id')
  const value = id?.value()
  if (id === undefined) return undefined
  if (typeof value === 'number') return printPayload(id) as RequestId
  return typeof value === 'string' ? requestId(value) : undefined
}
