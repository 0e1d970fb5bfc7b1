import { JunctorError, type Profile, profiles } from '@junctor/protocol'

/** Returns the profile with this name. Throws `CONFIG_INVALID` when there is none. */
export function profileNamed(name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile !== undefined) return profile
  const known = Object.keys(profiles).join(', ')
  throw new JunctorError('CONFIG_INVALID', `Expected a profile that exists (${known}), got "${name}"`)
}
