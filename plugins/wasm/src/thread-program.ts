/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origins, unlike windows */
import type { MessagePort } from 'node:worker_threads'
import type { ThreadAnswer, ThreadData, ThreadEvent, Work } from './thread-messages.ts'
import type { WasmMemory, WebAssemblyApi } from './web-assembly.ts'

type Threads = typeof import('node:worker_threads')

/**
 * Runs a module in a thread. Each piece of work has an instance of its own, so that nothing of one call is left for the
 * next. Its code is sent to the thread as text: it uses nothing from outside but types and what every thread has.
 */
class ModuleHost {
  readonly #data: ThreadData
  readonly #port: MessagePort
  readonly #receive: Threads['receiveMessageOnPort']
  readonly #events: Int32Array
  readonly #encoder = new TextEncoder()
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  readonly #imports: Readonly<Record<string, Readonly<Record<string, (...args: never[]) => unknown>>>>
  #work: Work = { tool: undefined, input: '' }
  #memory: WasmMemory | undefined
  /** What `take` copies. */
  #value: Uint8Array = new Uint8Array()
  #output: string | undefined
  #sent = 0
  /** The first failure. A module that catches it gets the same for everything else, and its answer is not used. */
  #fault: string | undefined

  constructor(data: ThreadData, port: MessagePort, receive: Threads['receiveMessageOnPort']) {
    this.#data = data
    this.#port = port
    this.#receive = receive
    this.#events = new Int32Array(data.shared)
    this.#imports = {
      junctor: {
        input: this.#guard(() => this.#offer(this.#work.input)),
        value: this.#guard((at: number, length: number) => this.#offerValue(this.#text(at, length))),
        fetch: this.#guard((at: number, length: number) => this.#fetch(this.#counted(at, length))),
        take: this.#guard((at: number) => this.#bytes(at, this.#value.length).set(this.#value)),
        output: this.#guard((at: number, length: number) => void (this.#output = this.#counted(at, length))),
        progress: this.#guard((done: number, total: number, at: number, length: number) =>
          this.#progress(done, total, this.#counted(at, length)),
        ),
        piece: this.#guard((at: number, length: number) =>
          this.#emit({ kind: 'piece', json: this.#counted(at, length) }),
        ),
        log: this.#guard((level: number, at: number, length: number) =>
          this.#emit({ kind: 'log', level, text: this.#counted(at, length) }),
        ),
      },
    }
  }

  run(work: Work): ThreadAnswer {
    this.#work = work
    this.#memory = undefined
    this.#value = new Uint8Array()
    this.#output = undefined
    this.#sent = 0
    this.#fault = undefined
    try {
      const { Instance } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly
      const { exports } = new Instance(this.#data.module, this.#imports)
      const { memory, describe, call } = exports as {
        readonly memory: WasmMemory
        readonly describe: () => void
        readonly call: (tool: number) => void
      }
      this.#memory = memory
      if (work.tool === undefined) describe()
      else call(work.tool)
    } catch (error) {
      this.#fault ??= String(error)
    }
    // The instance and its memory must not outlive the work.
    this.#memory = undefined
    if (this.#fault !== undefined) return { kind: 'failed', reason: this.#fault }
    return { kind: 'answered', json: this.#output }
  }

  #guard<Args extends unknown[], Result>(run: (...args: Args) => Result): (...args: Args) => Result {
    return (...args) => {
      if (this.#fault !== undefined) throw new Error(this.#fault)
      try {
        return run(...args)
      } catch (error) {
        this.#fault = String(error)
        throw error
      }
    }
  }

  #bytes(at: number, length: number): Uint8Array {
    if (this.#memory === undefined) throw new Error('A module must not use the host while it starts')
    return new Uint8Array(this.#memory.buffer, at >>> 0, length >>> 0)
  }

  #text(at: number, length: number): string {
    return this.#decoder.decode(this.#bytes(at, length))
  }

  /** A text that the module sends. Each counts 64 bytes more than it has, so that empty ones are bounded, too. */
  #counted(at: number, length: number): string {
    this.#sent += (length >>> 0) + 64
    if (this.#sent > this.#data.output) throw new Error(`The call has sent more than ${this.#data.output} bytes`)
    return this.#text(at, length)
  }

  #offer(text: string): number {
    this.#value = this.#encoder.encode(text)
    return this.#value.length
  }

  #offerValue(name: string): number {
    const { values } = this.#data
    return Object.hasOwn(values, name) ? this.#offer(values[name] ?? '') : -1
  }

  #progress(done: number, total: number, message: string): void {
    if (!Number.isFinite(done)) throw new Error('Progress must be a finite number')
    this.#emit({
      kind: 'progress',
      done,
      total: Number.isFinite(total) ? total : undefined,
      message: message === '' ? undefined : message,
    })
  }

  /** Sends a request and waits for its reply. The whole thread waits: a module has no other way to. */
  #fetch(json: string): number {
    this.#emit({ kind: 'fetch', json })
    Atomics.wait(this.#events, 1, 0)
    Atomics.store(this.#events, 1, 0)
    return this.#offer(String(this.#receive(this.#data.replies)?.message))
  }

  #emit(event: ThreadEvent): void {
    if (this.#work.tool === undefined) throw new Error('A module sends events only while a tool is called')
    while (Atomics.load(this.#events, 0) <= 0) Atomics.wait(this.#events, 0, 0)
    Atomics.sub(this.#events, 0, 1)
    this.#port.postMessage(event)
  }
}

function serveWork(threads: Threads, Host: typeof ModuleHost): void {
  const { parentPort, workerData, receiveMessageOnPort } = threads
  if (parentPort === null) return
  const host = new Host(workerData as ThreadData, parentPort, receiveMessageOnPort)
  parentPort.on('message', (work: Work) => parentPort.postMessage(host.run(work)))
}

/**
 * The program of a thread, as text: a bundle has no file beside it that a thread could start from. A bundle may also make
 * `X = class {}` of `class X {}`, so the text uses no name that is outside of its two parts.
 */
export function threadProgram(): string {
  return `(${String(serveWork)})(require('node:worker_threads'), ${String(ModuleHost)})`
}
