import { JunctorError } from '@junctor/protocol'

/** The error for an authorization server that issued a token which cannot be used. */
export function wrongIssue(what: string): JunctorError {
  return new JunctorError('BACKEND_REFUSED', `The authorization server issued ${what}`)
}
