import { nameHash } from './name-hash.ts'

/**
 * The default maximum length of a name with its prefix, in UTF-16 units. Several model APIs accept no longer tool
 * names.
 */
export const defaultNameLength = 64

/** The longest tool name that the specification allows (2025-11-25, Tools, "Tool Names"). */
export const longestName = 128

/**
 * Returns the name under which a backend's tool or prompt is offered: prefix, separator, name. An empty prefix adds
 * nothing. A prefixed name longer than `maxLength`, or an unprefixed name longer than `longestName`, is truncated and
 * ends in `_` and a hash of the complete name, so that names that differ only at the end stay different. Other
 * unprefixed names stay unchanged. A public name is never parsed: the component that offers a name keeps a table from
 * it to the original.
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

/**
 * Removes half a character from the end: truncation may split a surrogate pair, and half a pair is not valid in UTF-8.
 */
function withoutHalfCharacter(text: string): string {
  return text.replace(/[\ud800-\udbff]$/u, '')
}
