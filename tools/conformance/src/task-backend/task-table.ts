/** A JSON object, as the fixture sends it. */
export type Fields = Readonly<Record<string, unknown>>

/** What a task does: it ends with a result, or by throwing with an error of JSON-RPC. */
export type Work = (task: RunningTask) => Promise<Fields>

/** What the work of a task may use. */
interface RunningTask {
  /** Resolves after a time, and rejects when the task is cancelled. */
  sleep(seconds: number): Promise<void>
  /** Asks the client, and resolves with its answers when it has given all. */
  ask(questions: Readonly<Record<string, Fields>>): Promise<Fields>
}

interface Task {
  readonly fields: Fields
  status: string
  end: Fields
  readonly open: Map<string, Fields>
  readonly answers: Record<string, unknown>
  readonly cancelled: AbortController
  answered: PromiseWithResolvers<Fields>
}

/** The tasks of the fixture (SEP-2663), in the memory of its process. */
export class TaskTable {
  readonly #tasks = new Map<string, Task>()

  /** Starts a task. Returns its `CreateTaskResult`. */
  start(work: Work): Fields {
    const now = new Date().toISOString()
    const taskId = crypto.randomUUID()
    const task: Task = {
      fields: { taskId, createdAt: now, lastUpdatedAt: now, ttlMs: 600_000, pollIntervalMs: 100 },
      status: 'working',
      end: {},
      open: new Map(),
      answers: {},
      cancelled: new AbortController(),
      answered: Promise.withResolvers(),
    }
    this.#tasks.set(taskId, task)
    void run(task, work)
    return { resultType: 'task', ...task.fields, status: task.status }
  }

  /** The state of a task. Undefined: there is none of this id. */
  get(taskId: unknown): Fields | undefined {
    const task = this.#tasks.get(String(taskId))
    if (task === undefined) return undefined
    const { fields, status, end, open } = task
    const shown = { resultType: 'complete', ...fields }
    if (open.size === 0) return { ...shown, status, ...end }
    return { ...shown, status: 'input_required', inputRequests: Object.fromEntries(open) }
  }

  /** Gives answers to a task. */
  update(taskId: unknown, responses: Fields): boolean {
    const task = this.#tasks.get(String(taskId))
    if (task === undefined) return false
    for (const [key, response] of Object.entries(responses)) {
      if (task.open.delete(key)) task.answers[key] = response
    }
    if (task.open.size === 0) task.answered.resolve(task.answers)
    return true
  }

  /** Cancels a task, unless it has ended. */
  cancel(taskId: unknown): boolean {
    const task = this.#tasks.get(String(taskId))
    task?.cancelled.abort()
    return task !== undefined
  }

  /** Ends all tasks. */
  close(): void {
    for (const { cancelled } of this.#tasks.values()) cancelled.abort()
  }
}

async function run(task: Task, work: Work): Promise<void> {
  const { signal } = task.cancelled
  const ended = Promise.withResolvers<never>()
  // The work may not be waiting for anything when it is cancelled.
  ended.promise.catch(() => {})
  signal.addEventListener('abort', () => ended.reject(new Error('cancelled')))
  const running: RunningTask = {
    async sleep(seconds) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, seconds * 1000)
      signal.addEventListener('abort', () => clearTimeout(timer))
      await Promise.race([promise, ended.promise])
    },
    async ask(questions) {
      task.answered = Promise.withResolvers()
      for (const [key, question] of Object.entries(questions)) task.open.set(key, question)
      return await Promise.race([task.answered.promise, ended.promise])
    },
  }
  try {
    task.end = { result: await work(running) }
    task.status = 'completed'
  } catch (error) {
    task.open.clear()
    task.status = signal.aborted ? 'cancelled' : 'failed'
    if (!signal.aborted) task.end = { error: { code: -32_603, message: (error as Error).message } }
  }
}
