import type { Profile } from '../profile.ts'

/**
 * Returns the prefix of a backend's names for clients of a profile: the configured prefix, even when it is empty; else
 * the backend's name, or an empty text when the profile uses no prefixes.
 */
export function prefixOf(
  configured: string | undefined,
  backend: string,
  { prefixed }: Pick<Profile, 'prefixed'>,
): string {
  return configured ?? (prefixed ? backend : '')
}
