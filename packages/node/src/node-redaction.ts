import { type Config, configuredSecrets } from '@junctor/config'
import { createRedaction, type Redact } from '@junctor/primitives'
import type { Log } from '@junctor/contracts'
import { redactedLog } from './redacted-log.ts'
import { redactText } from '@junctor/telemetry'

/** What takes the secrets of a node's configuration, and what looks like one, out of all that the node says. */
export interface NodeRedaction {
  readonly text: Redact
  /** The same log, which is cleared of them. */
  readonly log: Log
  /** The same error, when there is nothing to take out. */
  error(error: Error): Error
  /** Another configuration is served. What was a secret before stays one: it may still be said back. */
  follow(config: Config): void
}

export function createNodeRedaction(config: Config, log: Log): NodeRedaction {
  const known = new Set(configuredSecrets(config))
  let redact = createRedaction(known)
  const text: Redact = (said) => redactText(redact(said))
  return {
    text,
    log: redactedLog(log, (said) => redact(said)),
    error(error) {
      const cause = error.cause instanceof Error ? error.cause : undefined
      const isClean =
        text(error.message) === error.message && (cause === undefined || text(cause.message) === cause.message)
      return isClean ? error : withTexts(error, text)
    },
    follow(next) {
      for (const secret of configuredSecrets(next)) known.add(secret)
      redact = createRedaction(known)
    },
  }
}

/** An error of the same kind and with the same members, which says the same without secrets; so does its cause. */
function withTexts(error: Error, text: Redact): Error {
  const copy = Object.create(Object.getPrototypeOf(error) as object, Object.getOwnPropertyDescriptors(error)) as Error
  Object.defineProperty(copy, 'message', { value: text(error.message), configurable: true, writable: true })
  if (error.cause instanceof Error) {
    Object.defineProperty(copy, 'cause', { value: withTexts(error.cause, text), configurable: true, writable: true })
  }
  return copy
}
