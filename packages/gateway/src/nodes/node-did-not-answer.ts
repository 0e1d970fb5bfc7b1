import type { Outcome } from '@junctor/exchange'
import { reasonOf } from '../shared/errors.ts'

/**
 * Whether the node of a call did not answer, so that a later attempt can succeed: it may only be away for a moment, or has
 * left.
 */
export function nodeDidNotAnswer(outcome: Outcome): boolean {
  const reason = reasonOf(outcome)
  return reason === 'fabric_unavailable' || reason === 'backend_unavailable' || reason === 'backend_exited'
}
