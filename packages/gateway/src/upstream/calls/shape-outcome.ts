import type { Outcome } from '@junctor/exchange'
import type { Profile, Revision } from '@junctor/protocol'

/**
 * An outcome in the form of the tenant's profile, from a backend or from the gateway itself.
 *
 * @param now returns epoch milliseconds; called only when the profile changes the result
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
