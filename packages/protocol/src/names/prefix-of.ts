import type { Profile } from '../profile.ts'

/**
 * What stands in front of a backend's names for clients of a profile: what the configuration says, also when that is
 * nothing; else the backend's own name, or nothing where the profile has bare names.
 */
export function prefixOf(
  configured: string | undefined,
  backend: string,
  { prefixed }: Pick<Profile, 'prefixed'>,
): string {
  return configured ?? (prefixed ? backend : '')
}
