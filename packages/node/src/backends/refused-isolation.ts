import type { Isolation } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'

/** The error for a backend with the credentials of persons whose links are shared. `undefined`: they are not. */
export function refusedIsolation(isolation: Isolation): JunctorError | undefined {
  if (isolation === 'session') return undefined
  const text = `Expected the isolation "session", got "${isolation}": the links carry credentials of a person`
  return new JunctorError('CONFIG_INVALID', text)
}
