import { type Config, configuredSecrets } from '@junctor/config'
import { createRedaction, type Redact } from '@junctor/primitives'
import type { Log } from '@junctor/contracts'
import { redactedLog } from './redacted-log.ts'
import { redactText } from '@junctor/telemetry'

/**
 * Removes the secrets of a node's configuration, and texts that look like secrets, from everything that the node
 * outputs.
 */
export interface NodeRedaction {
  readonly text: Redact
  /** The log, with secrets removed from everything that is logged. */
  readonly log: Log
  /** Returns the error without secrets; the same object when it contains none. */
  error(error: Error): Error
  /**
   * Applies another configuration. Secrets of earlier configurations are still removed, because they may still occur in
   * texts.
   */
  follow(config: Config): void
}

/** Creates the redaction for the first configuration. */
export function createNodeRedaction(config: Config, log: Log): NodeRedaction {
  const known = new Set(configuredSecrets(config))
  let redact = createRedaction(known)
  const text: Redact = (raw) => redactText(redact(raw))
  return {
    text,
    log: redactedLog(log, (raw) => redact(raw)),
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

/** Returns an error of the same class and with the same members, without secrets in its message and in its cause. */
function withTexts(error: Error, text: Redact): Error {
  const copy = Object.create(Object.getPrototypeOf(error) as object, Object.getOwnPropertyDescriptors(error)) as Error
  Object.defineProperty(copy, 'message', { value: text(error.message), configurable: true, writable: true })
  if (error.cause instanceof Error) {
    Object.defineProperty(copy, 'cause', { value: withTexts(error.cause, text), configurable: true, writable: true })
  }
  return copy
}
