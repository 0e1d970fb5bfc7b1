import type { Profile } from '../profile.ts'
import type { Revision } from '../revision.ts'

/**
 * Returns the revision for the answer to an `initialize`: the requested one if the profile accepts it, else the
 * profile's newest. Any other value (a future date, a number, nothing) is answered too; the client decides whether it
 * can continue (Lifecycle, version negotiation).
 */
export function negotiate(requested: unknown, profile: Pick<Profile, 'revisions' | 'versions'>): Revision {
  const [newest] = profile.revisions
  if (newest === undefined) throw new TypeError('a profile accepts at least one revision')
  return profile.revisions.find((revision) => revision === requested) ?? revisionOf(requested, profile) ?? newest
}

/** Returns the revision that a version of a profile stands for. `undefined`: the profile does not have this version. */
export function revisionOf(version: unknown, { versions }: Pick<Profile, 'versions'>): Revision | undefined {
  return typeof version === 'string' && Object.hasOwn(versions, version) ? versions[version] : undefined
}
