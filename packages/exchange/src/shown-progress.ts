import { type Payload, payloadOf } from '@junctor/jsonrpc'
import { allows } from '@junctor/protocol'
import type { Progress } from './event.ts'
import type { View } from './view.ts'

/**
 * The progress that the client of one round receives: it only rises. Gathered chunks count as progress until the
 * handler reports its own.
 */
export class ShownProgress {
  #highest = -Infinity
  #isReported = false

  /** Processes progress that the handler reports. Returns `undefined` when it is not higher than before. */
  report(update: Progress): Progress | undefined {
    this.#isReported = true
    return this.#rise(update)
  }

  /** Returns the progress of a gathered chunk, if it counts as progress. */
  count(chunk: unknown): Progress | undefined {
    if (this.#isReported) return undefined
    const progress = Math.max(this.#highest, 0) + 1
    return this.#rise(typeof chunk === 'string' ? { progress, message: chunk } : { progress })
  }

  #rise(update: Progress): Progress | undefined {
    if (update.progress <= this.#highest) return undefined
    this.#highest = update.progress
    return update
  }
}

/** Whether progress of a request goes to its client: it gave a token, negotiated it, or its profile always sends it. */
export function wantsProgress({ progressToken, profile, dialect, extensions }: View): boolean {
  return (
    progressToken !== undefined || profile.unaskedProgress || (dialect === '3.0' && extensions.includes('progress'))
  )
}

/** Returns the params of `notifications/progress` for this client. */
export function progressParams(
  { progressToken, revision }: View,
  { progress, total, message, more }: Progress,
): Payload {
  const shown = allows(revision, 'progressMessage') ? message : undefined
  return payloadOf({ ...more, progressToken, progress, total, message: shown })
}
