import type { EndReason, Outcome } from '@junctor/exchange'
import { type Answer, edit, type Payload, payloadOf } from '@junctor/jsonrpc'
import { eraOf, methods, type ClientRequest } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { reasonOf } from '../../shared/errors.ts'
import { pauseUnlessStopped } from '../../shared/pause.ts'
import { askerIn } from '../../shared/prefix-in.ts'
import type { BackendCalls } from '../../upstream/calls/backend-calls.ts'
import { Call } from '../../upstream/calls/call.ts'
import { capabilityMissing } from '../../upstream/calls/capability-missing.ts'
import { failed } from '../../upstream/calls/failed.ts'
import { mapOutcome } from '../../upstream/calls/map-outcome.ts'
import { mapAsk } from '../../upstream/mapping/map-ask.ts'
import { isUnknownTask, readBackendTask, takingTasks } from './extension-calls.ts'
import { cancelledByBackend } from './cancelled-by-backend.ts'
import { againMs, hasNotReached } from './has-not-reached.ts'
import { taskHolder, taskLost } from './task-holder.ts'
import { goesOnAfter, keepForJob } from './task-of-job.ts'

/**
 * Waits for a task of a backend (SEP-2663): asks for its state, at the pace that the backend wants, passes its questions to
 * the client, and returns its outcome as that of the call. The end of the call cancels the task, unless it is that of a job
 * which another node continues.
 */
export async function collectTask(
  calls: BackendCalls,
  call: Call,
  entry: BackendEntry,
  taskId: string,
): Promise<Outcome> {
  keepForJob(call, entry, taskId)
  const task = new CollectedTask(calls, call, entry, taskId)
  call.exchange.onEnd(task)
  return task.outcome()
}

class CollectedTask {
  readonly #calls: BackendCalls
  readonly #call: Call
  readonly #entry: BackendEntry
  readonly #taskId: string
  /** The questions that were asked. Their keys are never used again. */
  readonly #asked = new Set<string>()
  readonly #refused = Promise.withResolvers<Outcome>()
  #isRefused = false
  #isOver = false

  constructor(calls: BackendCalls, call: Call, entry: BackendEntry, taskId: string) {
    this.#calls = calls
    this.#call = call
    this.#entry = entry
    this.#taskId = taskId
  }

  ended(reason: EndReason): void {
    if (!goesOnAfter(reason, this.#call)) this.#cancel()
  }

  async outcome(): Promise<Outcome> {
    try {
      return await Promise.race([this.#collect(), this.#refused.promise])
    } finally {
      this.#isOver = true
    }
  }

  /* oxlint-disable no-await-in-loop -- until it is over */
  async #collect(): Promise<Outcome> {
    const { exchange } = this.#call
    for (;;) {
      const holder = taskHolder(this.#call, this.#entry)
      if (holder === undefined) return taskLost(this.#call)
      const got = await this.#send(methods.tasksGet, {}, holder)
      if (exchange.ended !== undefined || this.#isRefused) return failed(this.#call, 'cancelled')
      if (got.kind === 'complete') {
        const state = readBackendTask(got.result)
        if (state.kind === 'over') return mapOutcome(this.#call, this.#entry, state.outcome, '2026-07-28')
        if (state.kind === 'cancelled') return cancelledByBackend(this.#call, this.#entry)
        if (state.kind === 'bad') return this.#bad(state.message)
        this.#ask(state.questions)
        await pauseUnlessStopped(state.pollMs, exchange.signal)
      } else if (hasNotReached(got)) await pauseUnlessStopped(againMs, exchange.signal)
      else return holder !== this.#entry && isUnknownTask(got) ? taskLost(this.#call) : got
    }
  }

  #bad(message: string): Outcome {
    return failed(this.#call, 'tool_failed', { backend: this.#entry.backend.name, message })
  }

  /** Sends answers until the backend has them: a question is asked once, and a task takes each answer once. */
  async #update(inputResponses: Payload): Promise<void> {
    const { exchange } = this.#call
    while (!this.#isOver && exchange.ended === undefined) {
      const sent = await this.#send(methods.tasksUpdate, { inputResponses }, this.#holder())
      if (!hasNotReached(sent) && reasonOf(sent) !== 'backend_exited') return
      await pauseUnlessStopped(againMs, exchange.signal)
    }
  }
  /* oxlint-enable no-await-in-loop */

  #ask(questions: readonly (readonly [string, ClientRequest])[]): void {
    for (const [key, question] of questions) {
      if (this.#asked.has(key)) continue
      this.#asked.add(key)
      void this.#askOne(key, question)
    }
  }

  async #askOne(key: string, question: ClientRequest): Promise<void> {
    const answer = await this.#answerTo(question)
    if (this.#call.exchange.ended !== undefined) return
    if ('error' in answer) {
      // A task that continues despite the cancel is not polled any more.
      this.#isRefused = true
      this.#cancel()
      return this.#refused.resolve({ kind: 'error', error: answer.error })
    }
    await this.#update(edit(payloadOf({}), { [key]: answer.result }))
  }

  async #answerTo(question: ClientRequest): Promise<Answer> {
    const { exchange, caller } = this.#call
    const mapped = mapAsk(askerIn(caller.tenant, this.#entry), exchange.context, question)
    if (mapped.kind === 'ask') return exchange.ask(mapped.request, { timeoutMs: this.#entry.askTimeoutMs })
    const { situation, message, required } = mapped.verdict
    const isMissing = required !== undefined && eraOf(exchange.context.revision) === 'modern'
    const refused = isMissing ? capabilityMissing(this.#call, required) : failed(this.#call, situation, { message })
    return refused.kind === 'error' ? { error: refused.error } : { result: payloadOf({}) }
  }

  #send(method: string, more: Readonly<Record<string, Payload>>, to: BackendEntry): Outcome | Promise<Outcome> {
    const { caller, request, exchange } = this.#call
    const params = edit(payloadOf({ taskId: this.#taskId }), more)
    const sent = { ...request, method, params: takingTasks(params) }
    return this.#calls.run(new Call(caller, sent, exchange), to, sent)
  }

  #holder(): BackendEntry {
    return taskHolder(this.#call, this.#entry) ?? this.#entry
  }

  #cancel(): void {
    this.#calls.cancelTask(this.#call, this.#holder(), takingTasks(payloadOf({ taskId: this.#taskId })))
  }
}
