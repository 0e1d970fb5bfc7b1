import type { Log } from '@junctor/contracts'
import type { Redact } from '@junctor/primitives'

/** Deeper values are not inspected, and not logged. */
const deepest = 6

/** Returns a log that removes secrets from everything it receives: messages, fields, errors with their causes. */
export function redactedLog(log: Log, redact: Redact): Log {
  const cleaned =
    (name: keyof Log): Log['debug'] =>
    (message, fields) =>
      log[name](redact(message), fields && (clean(fields, redact, deepest) as typeof fields))
  return { debug: cleaned('debug'), info: cleaned('info'), warn: cleaned('warn'), error: cleaned('error') }
}

function clean(value: unknown, redact: Redact, levels: number): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return '...'
  if (Array.isArray(value)) return value.map((item) => clean(item, redact, levels - 1))
  const members = Object.entries(value).map(([name, member]) => [name, clean(member, redact, levels - 1)] as const)
  return value instanceof Error
    ? cleanError(value, Object.fromEntries(members), redact, levels)
    : Object.fromEntries(members)
}

/** Keeps the class of the error, because some loggers print it. The stack contains the message. */
function cleanError(error: Error, members: object, redact: Redact, levels: number): Error {
  const copy = Object.create(Object.getPrototypeOf(error) as object) as Error
  return Object.defineProperties(Object.assign(copy, members), {
    name: own(error.name),
    message: own(redact(error.message)),
    stack: own(error.stack === undefined ? undefined : redact(error.stack)),
    ...(error.cause !== undefined && { cause: own(clean(error.cause, redact, levels - 1)) }),
  })
}

function own(value: unknown): PropertyDescriptor {
  return { value, enumerable: false, configurable: true, writable: true }
}
