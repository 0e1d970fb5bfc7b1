import type { RefusalTarget } from '@junctor/contracts'
import { type BodyReader, declaresTooMuch, readBody } from '../body/read-body.ts'
import { peekBytes } from '../body/read-start.ts'
import type { ReceivedRequest } from './received-request.ts'

const noRoom = 'This server has no memory for another large body: send it again later'

/**
 * Reads the body of a request, or refuses it: beyond the limit, whether it declares its length or not, and when there is no
 * memory for it.
 *
 * @param from whose it is, if that is known
 * @param take receives the body; its exceptions are handled
 */
export function receiveBody(
  call: ReceivedRequest,
  from: Partial<RefusalTarget>,
  limit: number,
  take: (bytes: Uint8Array) => void,
): void {
  const body = new ReceivedBody(call, from, limit, take)
  if (declaresTooMuch(call.headers['content-length'], limit)) body.bodyTooLarge()
  else readBody(call.request, limit, call.serving.bodies, body)
}

class ReceivedBody implements BodyReader {
  readonly #call: ReceivedRequest
  readonly #from: Partial<RefusalTarget>
  readonly #limit: number
  readonly #take: (bytes: Uint8Array) => void

  constructor(call: ReceivedRequest, from: Partial<RefusalTarget>, limit: number, take: (bytes: Uint8Array) => void) {
    this.#call = call
    this.#from = from
    this.#limit = limit
    this.#take = take
  }

  /** @param start absent: the body is not read yet, and the refusal itself reads what it declares */
  bodyTooLarge(start?: Uint8Array): void {
    this.#call.guard(() => {
      const message = `Expected a body of at most ${this.#limit} bytes, got more`
      const from = this.#from
      const declared = start && peekBytes(start, this.#call.serving.limits.frame)
      const isV3 = declared?.dialect === '3.0'
      this.#call.refuse(
        'too_large',
        isV3 ? { message, from: { ...from, dialect: '3.0' }, id: declared.id } : { message, from },
      )
    })
  }

  bodyHasNoRoom(): void {
    this.#call.guard(() => this.#call.refuse('overloaded', { message: noRoom, from: this.#from }))
  }

  bodyRead(bytes: Uint8Array): void {
    this.#call.guard(() => this.#take(bytes))
  }
}
