import { type ErrorReporter, type Closer, type Control, type UnreadableReporter, readJson } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'
import { JunctorError } from '@junctor/protocol'
import { z } from 'zod'
import type { NodeBus, InboxReceiver } from '../bus/node-bus.ts'

/** A node that does not confirm a control within this time counts as unreachable. */
const takeMs = 2_000

interface ControlHandler {
  readonly handle: (control: Control, from: string) => void
}

const sentControl = z.object({
  /** The node that sends it. */
  from: z.string(),
  control: z.object({
    kind: z.string(),
    body: z.custom<JsonValue>((value) => value !== undefined, 'expected a value'),
  }),
})

const nothing = new Uint8Array()

/** Short messages between nodes, to one or to all others. */
export class NatsControls {
  readonly #bus: NodeBus
  readonly #handlers = new Set<ControlHandler>()
  readonly #reportError: ErrorReporter
  readonly #unreadable: UnreadableReporter
  readonly #waiting = new Set<(there: boolean) => void>()

  constructor(bus: NodeBus, reportError: ErrorReporter, unreadable: UnreadableReporter) {
    this.#bus = bus
    this.#reportError = reportError
    this.#unreadable = unreadable
    bus.listen(bus.subjects.node(bus.node, 'control'), (body, reply) => {
      if (reply !== '') bus.publish(reply, nothing)
      this.#receive(body)
    })
    bus.listen(bus.subjects.all('control'), (body) => this.#receive(body, bus.node))
  }

  /** Sends to all other nodes that are subscribed. */
  sendToAll(control: Control): boolean {
    return this.#bus.publish(this.#bus.subjects.all('control'), this.#print(control))
  }

  /** Resolves with whether the node has received it. */
  send(node: string, control: Control): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const settle = (there: boolean): void => {
      clearTimeout(timer)
      this.#waiting.delete(settle)
      this.#bus.forget(token)
      resolve(there)
    }
    const receiver: InboxReceiver = { receive: () => settle(true), noSubscriber: () => settle(false) }
    const body = this.#print(control)
    const token = this.#bus.expect(receiver)
    const timer = setTimeout(() => settle(false), takeMs)
    this.#waiting.add(settle)
    const sent = this.#bus.publish(this.#bus.subjects.node(node, 'control'), body, this.#bus.inbox(token))
    if (!sent) settle(false)
    return promise
  }

  onControl(handler: (control: Control, from: string) => void): Closer {
    const entry = { handle: handler }
    this.#handlers.add(entry)
    return {
      close: async () => {
        this.#handlers.delete(entry)
      },
    }
  }

  /** Stops receiving, and releases all waiting senders. */
  leave(): void {
    this.#handlers.clear()
    for (const settle of this.#waiting) settle(false)
  }

  #print(control: Control): Uint8Array {
    const sent: z.infer<typeof sentControl> = { from: this.#bus.node, control }
    const body = Buffer.from(JSON.stringify(sent))
    const { bodyBytes } = this.#bus
    if (body.length <= bodyBytes) return body
    throw new JunctorError('LIMIT_REACHED', `expected a control of at most ${bodyBytes} bytes, got ${body.length}`)
  }

  /** Each handler gets its own copy of the control, so that changes by one are not visible to others. */
  #receive(body: Uint8Array, except?: string): void {
    const read = readJson(sentControl, body)
    if (read.kind === 'unreadable') return this.#unreadable('control', 'NATS', read.problem)
    const { from, control } = read.value
    if (from === except) return
    for (const entry of this.#handlers) this.#deliver(entry, structuredClone(control), from)
  }

  /** Calls a handler. An exception does not prevent the calls of the others. */
  #deliver({ handle }: ControlHandler, control: Control, from: string): void {
    try {
      handle(control, from)
    } catch (error) {
      this.#reportError('control', error, { from, kind: control.kind })
    }
  }
}
