import type { CallFabric, CallTarget, Closer, Control } from '@junctor/contracts'
import type { Exchange, Handler, Outcome } from '@junctor/exchange'
import { isJsonObject, payloadFromText, type Request, parseJson } from '@junctor/jsonrpc'
import { noHolderOutcome } from '../call/no-holder-outcome.ts'
import { steadyTime } from '../steady-time.ts'
import type { KnownContexts } from '../wire/known-contexts.ts'
import type { PayloadReader } from '../wire/payload-lines.ts'
import { printCallFrame } from '../wire/print-call-frame.ts'
import { readCallFrame, readOpening } from '../wire/read-call-frame.ts'
import { type FrameKind, frameKinds, type PipeFrame, PipeFrameReader, printPipeFrame } from './pipe-frame.ts'
import { PlacedCall, type PlacedCallOwner } from './placed-call.ts'
import { ServedCall, type ServedCallHost } from './served-call.ts'

/** One end of a pipe between two processes. */
export interface PipeEnd {
  /** The name of this end. */
  readonly node: string
  /** Sends bytes to the other end. */
  readonly write: (bytes: Buffer) => void
  /** Called with each message of the other end that belongs to no call. */
  readonly onControl: (control: Control) => void
  /** Called with the problem of a frame that cannot be read; its call is given up. */
  readonly unreadable: (problem: string) => void
  /** Makes payloads of what the other end sends. Default: it is trusted, so they are taken as they are. */
  readonly payload?: PayloadReader
  /** The most calls of the other end at one time. Default: no limit. */
  readonly mostServed?: number
}

/**
 * Calls between two processes over a pipe, with the frames that nodes exchange. The pipe keeps the order and loses
 * nothing, so a call needs no inbox, no number for each message and no probe.
 */
export interface PipeFabric extends CallFabric {
  /** Sends a message that belongs to no call. */
  control(control: Control): void
  /**
   * Takes bytes of the other end.
   *
   * @throws RangeError when they are not frames: the other end cannot be understood any more
   */
  receive(chunk: Buffer): void
  /** Ends all calls, in both directions: the other end is gone. */
  lose(): void
}

/** Creates the calls of one end. */
export function createPipeFabric(end: PipeEnd): PipeFabric {
  return new PipeCalls(end)
}

/** Openings on a pipe have their contexts in full: nothing that an end sends is kept for other calls or other ends. */
const noContexts: Pick<KnownContexts, 'keep' | 'get'> = { keep() {}, get: () => undefined }

class PipeCalls implements PipeFabric, PlacedCallOwner, ServedCallHost {
  readonly node: string
  readonly #end: PipeEnd
  readonly #payload: PayloadReader
  readonly #reader = new PipeFrameReader()
  readonly #services = new Map<string, Handler>()
  readonly #placed = new Map<number, PlacedCall>()
  readonly #served = new Map<number, ServedCall>()
  #lastCall = 0
  #lastId = 0
  #isLost = false

  constructor(end: PipeEnd) {
    this.node = end.node
    this.#end = end
    this.#payload = end.payload ?? payloadFromText
  }

  call(to: CallTarget, request: Request, exchange: Exchange): Promise<Outcome> {
    if (this.#isLost) return Promise.resolve(noHolderOutcome(to, request, exchange))
    do this.#lastCall = (this.#lastCall + 1) % 0x1_0000_0000
    while (this.#placed.has(this.#lastCall))
    const call = new PlacedCall(this, this.#lastCall, to, request, exchange)
    this.#placed.set(this.#lastCall, call)
    call.place()
    return call.outcome
  }

  async serve(service: string, handler: Handler): Promise<Closer> {
    this.#services.set(service, handler)
    return {
      close: async () => {
        if (this.#services.get(service) === handler) this.#services.delete(service)
      },
    }
  }

  control({ kind, body }: Control): void {
    this.#write(frameKinds.control, 0, JSON.stringify({ kind, body }))
  }

  receive(chunk: Buffer): void {
    for (const frame of this.#reader.push(chunk)) this.#take(frame)
  }

  lose(): void {
    this.#isLost = true
    for (const call of this.#placed.values()) call.lost()
    for (const call of this.#served.values()) call.end()
  }

  send(kind: 'opening' | 'toHolder', call: number, text: string): boolean {
    return this.#write(frameKinds[kind], call, text) !== undefined
  }

  sendBack(call: number, text: string): number | undefined {
    return this.#write(frameKinds.toCaller, call, text)
  }

  over(call: number): void {
    this.#placed.delete(call)
  }

  finished(call: number): void {
    this.#served.delete(call)
  }

  nextId(): string {
    this.#lastId += 1
    return `${this.node}-${this.#lastId.toString(36)}`
  }

  now(): number {
    return steadyTime()
  }

  #write(kind: FrameKind, call: number, text: string): number | undefined {
    const frame = printPipeFrame(kind, call, text)
    if (frame !== undefined && !this.#isLost) this.#end.write(frame)
    return frame?.length
  }

  #take(frame: PipeFrame): void {
    switch (frame.kind) {
      case frameKinds.opening:
        this.#open(frame)
        break
      case frameKinds.toHolder:
        this.#takeAsHolder(frame)
        break
      case frameKinds.toCaller:
        this.#takeAsCaller(frame)
        break
      case frameKinds.control:
        this.#takeControl(frame)
        break
      default:
        throw new RangeError(`expected a frame of a known kind, got ${frame.kind}`)
    }
  }

  #open({ call, text }: PipeFrame): void {
    const read = readOpening(text, noContexts, this.#payload)
    if (read.kind === 'unreadable') this.#end.unreadable(read.problem)
    const opening = read.kind === 'read' ? read.value : undefined
    const handler = opening && this.#services.get(opening.service)
    const hasRoom = this.#served.size < (this.#end.mostServed ?? Infinity) && !this.#served.has(call)
    if (opening === undefined || handler === undefined || !hasRoom) {
      this.sendBack(call, printCallFrame({ kind: 'refused' }))
      return
    }
    const served = new ServedCall(this, call, opening)
    this.#served.set(call, served)
    served.run(handler)
  }

  #takeAsHolder({ call, text }: PipeFrame): void {
    const served = this.#served.get(call)
    if (served === undefined) return
    const read = readCallFrame(text, this.#payload)
    if (read.kind === 'read') return served.take(read.value)
    this.#end.unreadable(read.problem)
    if (read.kind === 'unreadable') served.end()
  }

  #takeAsCaller({ call, text, bytes }: PipeFrame): void {
    const placed = this.#placed.get(call)
    if (placed === undefined) return
    const read = readCallFrame(text, this.#payload)
    if (read.kind === 'read') return placed.take(read.value, bytes)
    this.#end.unreadable(read.problem)
    if (read.kind === 'unreadable') placed.lost()
    else placed.skip(bytes)
  }

  #takeControl({ text }: PipeFrame): void {
    const message = parseJson(text)
    if (!isJsonObject(message) || typeof message['kind'] !== 'string') {
      this.#end.unreadable('expected a message with a kind')
      return
    }
    this.#end.onControl({ kind: message['kind'], body: message['body'] ?? null })
  }
}
