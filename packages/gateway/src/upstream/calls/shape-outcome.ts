import type { Outcome } from '@junctor/exchange'
import type { Profile, Revision } from '@junctor/protocol'

/**
 * An outcome as the profile of the caller's tenant shows it, whether a backend made it or the gateway itself.
 *
 * @param now epoch milliseconds, read only where something is shaped
 */
export function shapeOutcome(
  { results }: Pick<Profile, 'results'>,
  method: string,
  revision: Revision,
  outcome: Outcome,
  now: () => number,
): Outcome {
  if (outcome.kind !== 'complete' || !Object.hasOwn(results, method)) return outcome
  const result = results[method]?.(outcome.result, { revision, now: now() }) ?? outcome.result
  return result === outcome.result ? outcome : { kind: 'complete', result }
}
