import { nameHash } from './name-hash.ts'

/** What clients and the models behind them accept in a tool's name, in UTF-16 units; the specification allows more. */
const LONGEST = 64

/**
 * The name under which a backend's tool or prompt is offered: prefix, separator, name. An empty prefix adds nothing.
 * More than 64 characters are cut and end in `_` and a hash of the whole, so that names which differ only at the end
 * stay different. It is never taken apart again: who offers a name keeps a table of what it stands for.
 */
export function publicName(prefix: string, separator: string, name: string): string {
  const whole = prefix === '' ? name : `${prefix}${separator}${name}`
  if (whole.length <= LONGEST) return whole
  const tail = `_${nameHash(whole)}`
  return withoutHalfCharacter(whole.slice(0, LONGEST - tail.length)) + tail
}

/** A cut may fall between the two halves of a character; half a character is not valid in UTF-8. */
function withoutHalfCharacter(text: string): string {
  return text.replace(/[\ud800-\udbff]$/u, '')
}
