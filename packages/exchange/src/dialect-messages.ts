import type { JsonObject } from '@junctor/jsonrpc'
import type { AskEvent, NotificationBody, Progress } from './event.ts'
import type { FinalOutcome } from './final-outcome.ts'
import type { View } from './view.ts'

/** How a dialect writes the messages of one round. `undefined`: its client does not receive the message. */
export interface DialectMessages {
  ack(view: View, info: JsonObject | undefined): string | undefined
  progress(view: View, progress: Progress): string
  /** `undefined`: the client receives the result in one piece. */
  chunk(view: View, data: unknown): string | undefined
  notification(notification: NotificationBody): string
  ask(ask: AskEvent): string
  outcome(view: View, outcome: FinalOutcome): string
  /** Whether a cancelled request gets an error. */
  readonly answersCancelled: boolean
}
