import type { Log } from '@junctor/contracts'
import { errorOf, settlesWithin } from '@junctor/primitives'
import { JunctorError } from '@junctor/protocol'

/** How often the health of a backend in use is checked, in milliseconds. */
const everyMs = 10_000

/** How long a check may take, in milliseconds. */
const checkMs = 5_000

/** What a backend does besides answering requests. Every function is called as a member of its object. */
export interface LifecycleHooks {
  /**
   * Prepares the backend: called once, before the first link is opened. When it fails, the backend is down with the
   * message of the error, and it is called again at the next attempt.
   */
  start?(): void | Promise<void>
  /**
   * Throws when the backend cannot work: a database is gone, credentials have expired. Called before a link is opened,
   * and every ten seconds while links are open, for at most five seconds. When it fails, all links are closed and the
   * backend is down with the message of the error, until a later attempt succeeds.
   *
   * @param signal aborts when the time of the check is over
   */
  health?(signal: AbortSignal): void | Promise<void>
  /**
   * Finishes what the backend does besides requests: called once, before `close`, when a reload has replaced the backend
   * or the process ends. Requests in progress continue meanwhile. At the end of the process its time is `limits.grace`,
   * after a reload ten seconds.
   */
  drain?(): void | Promise<void>
  /** Releases the resources of the backend: connections, files. Called once, when all links are closed. */
  close?(): void | Promise<void>
}

/** The lifecycle of one backend. */
export class Lifecycle {
  readonly #hooks: LifecycleHooks
  readonly #log: Log
  readonly #failed: (error: Error) => void
  #started: Promise<void> | undefined
  #checked: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #drained: Promise<void> | undefined
  #closed: Promise<void> | undefined

  /** @param failed called when a check fails while links are open */
  constructor(hooks: LifecycleHooks, log: Log, failed: (error: Error) => void) {
    this.#hooks = hooks
    this.#log = log
    this.#failed = failed
  }

  /** Resolves when links may be opened, and rejects when the backend cannot work now. Undefined: at once. */
  ready(): Promise<void> | undefined {
    const isChecked = this.#hooks.health === undefined || this.#timer !== undefined
    const isStarted = this.#hooks.start === undefined || this.#started !== undefined
    if (isChecked && isStarted) return this.#started
    return this.#start().then(() => this.#check())
  }

  /** Checks the health regularly, until `rest`. */
  watch(): void {
    if (this.#hooks.health === undefined || this.#timer !== undefined || this.#closed !== undefined) return
    this.#timer = setInterval(() => {
      this.#check().catch((error: unknown) => {
        this.rest()
        this.#failed(errorOf(error))
      })
    }, everyMs)
    this.#timer.unref()
  }

  /** Ends the regular checks, because no link is open. */
  rest(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  drain(): Promise<void> {
    return (this.#drained ??= this.#drain())
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close())
  }

  async #drain(): Promise<void> {
    await this.#hooks.drain?.()
  }

  async #close(): Promise<void> {
    this.rest()
    await this.#started?.catch(() => undefined)
    await this.#hooks.close?.()
  }

  #start(): Promise<void> {
    if (this.#hooks.start === undefined) return Promise.resolve()
    this.#started ??= this.#run().catch((error: unknown) => {
      this.#started = undefined
      throw error
    })
    return this.#started
  }

  async #run(): Promise<void> {
    await this.#hooks.start?.()
  }

  async #health(signal: AbortSignal): Promise<void> {
    await this.#hooks.health?.(signal)
  }

  /** One check at a time, for all who ask. */
  #check(): Promise<void> {
    return (this.#checked ??= this.#checkNow().finally(() => (this.#checked = undefined)))
  }

  async #checkNow(): Promise<void> {
    const controller = new AbortController()
    const check = this.#health(controller.signal)
    try {
      if (await settlesWithin(check, checkMs)) return
    } catch (error) {
      throw unhealthy(errorOf(error).message, error)
    }
    controller.abort()
    check.catch((error: unknown) => this.#log.debug('a check of the health failed late', { error }))
    throw unhealthy(`no answer within ${checkMs} ms`)
  }
}

/** Of the backend, and not of one link alone: the gateway then counts the backend as down. */
function unhealthy(message: string, cause?: unknown): JunctorError {
  return new JunctorError('BACKEND_UNREACHABLE', `the backend is not healthy: ${message}`, { cause })
}
