/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origins, unlike windows */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { eventWindow, type ThreadAnswer, type ThreadData, type ThreadEvent, type Work } from './thread-messages.ts'
import { threadProgram } from './thread-program.ts'

/** Receives what a module sends while it works. What a method throws stops the work. */
export interface ThreadListener {
  progress(done: number, total: number | undefined, message: string | undefined): void
  log(level: number, text: string): void
  /** The next piece is given when the returned promise resolves. */
  piece(json: string): Promise<void> | undefined
  /** Resolves with the reply, as JSON. */
  fetch(json: string): Promise<string>
}

/** What the threads of one module are started with. */
export type ThreadStart = Pick<ThreadData, 'module' | 'values' | 'output'>

/**
 * Bounds of the JavaScript heap of a thread, in MiB: texts that pass through it, and objects and tables of a module that
 * are outside of its memory. A thread that exceeds them ends.
 */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 }

interface Running {
  readonly listener: ThreadListener
  readonly settle: (answer: ThreadAnswer) => void
  /** Resolves when everything that has arrived was handled. */
  handled: Promise<void>
}

/** A thread that runs one piece of work at a time. */
export class WasmThread {
  readonly #worker: Worker
  readonly #replies: MessagePort
  readonly #shared = new Int32Array(new SharedArrayBuffer(8))
  #running: Running | undefined
  #ended = false

  /** @throws Error when the system gives no thread */
  constructor({ module, values, output }: ThreadStart) {
    const { port1, port2 } = new MessageChannel()
    this.#replies = port1
    this.#shared[0] = eventWindow
    const workerData: ThreadData = { module, values, output, shared: this.#shared.buffer, replies: port2 }
    this.#worker = new Worker(threadProgram(), {
      eval: true,
      name: 'junctor wasm',
      workerData,
      transferList: [port2],
      argv: [],
      execArgv: [],
      env: {},
      resourceLimits,
    })
    this.#worker.on('message', (message: ThreadEvent | ThreadAnswer) => this.#receive(message))
    this.#worker.on('messageerror', (error: Error) => this.#stop(String(error)))
    this.#worker.on('error', (error: unknown) => this.#stop(String(error)))
    this.#worker.on('exit', () => this.#stop('the thread has ended'))
    this.#worker.unref()
  }

  /** Whether it can run nothing more. */
  get ended(): boolean {
    return this.#ended
  }

  /** Runs one piece of work; never rejects. */
  run(work: Work, listener: ThreadListener): Promise<ThreadAnswer> {
    const { promise, resolve } = Promise.withResolvers<ThreadAnswer>()
    if (this.#ended) return Promise.resolve({ kind: 'failed', reason: 'the thread has ended' })
    this.#running = { listener, settle: resolve, handled: Promise.resolve() }
    this.#worker.ref()
    this.#worker.postMessage(work)
    return promise
  }

  /** Ends the thread, whatever it does. Work that runs fails with the reason. */
  async end(reason: string): Promise<void> {
    this.#stop(reason)
    await this.#worker.terminate()
  }

  #receive(message: ThreadEvent | ThreadAnswer): void {
    const running = this.#running
    if (running === undefined) return
    // One after the other: a piece may wait for its reader, and what follows must not overtake it.
    running.handled = running.handled
      .then(() => this.#handle(message, running))
      .catch((error: unknown) => this.#stop(String(error)))
  }

  async #handle(message: ThreadEvent | ThreadAnswer, running: Running): Promise<void> {
    if (this.#running !== running) return
    const { listener } = running
    if (message.kind === 'answered' || message.kind === 'failed') return this.#settle(running, message)
    if (message.kind === 'progress') listener.progress(message.done, message.total, message.message)
    else if (message.kind === 'log') listener.log(message.level, message.text)
    else if (message.kind === 'piece') await listener.piece(message.json)
    else this.#reply(await listener.fetch(message.json))
    // In another turn of the event loop, so that a flood of events does not block everything else.
    setImmediate(() => this.#allowOneMore())
  }

  #reply(json: string): void {
    this.#replies.postMessage(json)
    Atomics.store(this.#shared, 1, 1)
    Atomics.notify(this.#shared, 1)
  }

  #allowOneMore(): void {
    Atomics.add(this.#shared, 0, 1)
    Atomics.notify(this.#shared, 0)
  }

  #settle(running: Running, answer: ThreadAnswer): void {
    if (this.#running !== running) return
    this.#running = undefined
    this.#worker.unref()
    running.settle(answer)
  }

  #stop(reason: string): void {
    if (!this.#ended) {
      this.#ended = true
      this.#replies.close()
      void this.#worker.terminate()
    }
    if (this.#running !== undefined) this.#settle(this.#running, { kind: 'failed', reason })
  }
}
