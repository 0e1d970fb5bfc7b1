import { runInNewContext } from 'node:vm'
import { mostCheckMs, processorMs } from './check-budget.ts'
import { type CheckedValue, tooCostly } from './schema-problem.ts'

/**
 * The most parts of a value times parts of a schema whose check is run as it is: some ten milliseconds. Beyond, a check
 * costs a millisecond more, for the means to end it.
 */
const mostPairs = 100_000

/** The part of its processor time that a check has had when it is ended: the timer is not exact. */
const almostAll = 0.9

/** How much longer a check may run than it computes, because other processes have the processor. */
const mostWait = 8

/**
 * Bounds a check: it is ended when it has taken half a second of processor time, and the value is refused. A list of a
 * million wrong items would otherwise make a million problems, and the node would answer nobody meanwhile, or have no
 * memory left. What an asynchronous check does after its first wait is not bounded.
 *
 * @param schema as JSON Schema, for its size
 * @param check may be ended anywhere, and is run again when it has waited for the processor
 */
export function boundCheck<Checked extends CheckedValue<unknown> | Promise<CheckedValue<unknown>>>(
  schema: unknown,
  check: (value: unknown) => Checked,
): (value: unknown) => Checked | CheckedValue<never> {
  const mostParts = Math.floor(mostPairs / countParts(schema, mostPairs))
  return (value) => (countParts(value, mostParts + 1) > mostParts ? runBounded(() => check(value)) : check(value))
}

/** The values in a value, itself included. Stops counting at `most`. */
function countParts(value: unknown, most: number): number {
  const open = [value]
  let count = 0
  for (;;) {
    const part = open.pop()
    count += 1
    if (typeof part === 'object' && part !== null) for (const member of Object.values(part)) open.push(member)
    if (open.length === 0 || count + open.length >= most) return count + open.length
  }
}

function runBounded<Checked>(check: () => Checked): Checked | CheckedValue<never> {
  for (let ms = mostCheckMs; ms <= mostCheckMs * mostWait; ms *= 2) {
    const startedAt = processorMs()
    try {
      // `displayErrors` would write the line that threw into the stack of an error of the check.
      return runInNewContext('check()', { check }, { timeout: ms, displayErrors: false }) as Checked
    } catch (error) {
      if (!isTimeout(error)) throw error
      // The timeout counts the time in which other processes had the processor, too.
      if (processorMs() - startedAt > almostAll * mostCheckMs) break
    }
  }
  return { kind: 'invalid', problems: [tooCostly(`in ${mostCheckMs} ms`)] }
}

/** Not with `instanceof`: the error is of the new context. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
