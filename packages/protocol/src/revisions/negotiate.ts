import type { Profile } from '../profile.ts'
import type { Revision } from '../revision.ts'

/**
 * The revision to answer an `initialize` with: the one asked for when the profile accepts it, else the profile's
 * newest. Whatever else came (a date of the future, a number, nothing) is answered too: the client decides whether it
 * can go on (Lifecycle, version negotiation).
 */
export function negotiate(requested: unknown, profile: Pick<Profile, 'revisions'>): Revision {
  const [newest] = profile.revisions
  if (newest === undefined) throw new TypeError('a profile accepts at least one revision')
  return profile.revisions.find((revision) => revision === requested) ?? newest
}
