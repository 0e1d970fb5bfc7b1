import { nameHash } from './name-hash.ts'

/**
 * How long a name may become by its prefix, unless something else is said, in UTF-16 units: several models' interfaces
 * take no name of a tool that is longer.
 */
export const defaultNameLength = 64

/** The longest name of a tool that the specification has (2025-11-25, Tools, "Tool Names"). */
export const longestName = 128

/**
 * The name under which a backend's tool or prompt is offered: prefix, separator, name. An empty prefix adds nothing.
 * One that is longer than `maxLength` by its prefix, or than any name may be, is cut and ends in `_` and a hash of the
 * whole, so that names which differ only at the end stay different: what a backend calls its own stays as it is. It is never taken apart again: who offers a name keeps a table of what it stands for.
 */
export function publicName(
  prefix: string,
  separator: string,
  name: string,
  maxLength: number = defaultNameLength,
): string {
  const whole = prefix === '' ? name : `${prefix}${separator}${name}`
  const longest = prefix === '' ? longestName : maxLength
  if (whole.length <= longest) return whole
  const tail = `_${nameHash(whole)}`
  return withoutHalfCharacter(whole.slice(0, longest - tail.length)) + tail
}

/** A cut may fall between the two halves of a character; half a character is not valid in UTF-8. */
function withoutHalfCharacter(text: string): string {
  return text.replace(/[\ud800-\udbff]$/u, '')
}
