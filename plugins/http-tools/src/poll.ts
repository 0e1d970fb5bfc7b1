/** What a poll repeats. Resolves with whether it succeeded; must not reject. */
export type PollTask = (signal: AbortSignal) => Promise<boolean>

/** After the first failure, in milliseconds. Each further failure doubles it, up to the usual interval. */
const firstPauseMs = 500

/** Between two runs that were asked for, in milliseconds. */
const shortestPauseMs = 250

/** Repeats a task: at an interval while it succeeds, sooner after a failure. It does not keep the process running. */
export class Poll {
  readonly #task: PollTask
  readonly #everyMs: number
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  #again = false
  #failures = 0
  /** The end of the last run, by `performance.now`. */
  #ranAt = -Infinity
  #timer: NodeJS.Timeout | undefined

  constructor(task: PollTask, everyMs: number) {
    this.#task = task
    this.#everyMs = everyMs
  }

  /** Runs the task now, or waits for the run in progress. */
  now(): Promise<void> {
    if (this.#stopping.signal.aborted) return Promise.resolve()
    clearTimeout(this.#timer)
    return (this.#running ??= this.#run())
  }

  /**
   * Runs the task soon, because what is known has become doubtful: after the run in progress, and not at once if it
   * ran a moment ago.
   */
  again(): void {
    if (this.#running === undefined) this.#schedule(this.#ranAt + shortestPauseMs - performance.now())
    else this.#again = true
  }

  stop(): void {
    this.#stopping.abort()
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    const succeeded = await this.#task(signal)
    this.#running = undefined
    if (signal.aborted) return
    this.#failures = succeeded ? 0 : this.#failures + 1
    const pauseMs = succeeded ? this.#everyMs : Math.min(firstPauseMs * 2 ** (this.#failures - 1), this.#everyMs)
    this.#ranAt = performance.now()
    this.#schedule(this.#again ? shortestPauseMs : pauseMs)
    this.#again = false
  }

  #schedule(pauseMs: number): void {
    if (this.#stopping.signal.aborted) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.now(), Math.max(0, pauseMs))
    this.#timer.unref()
  }
}
