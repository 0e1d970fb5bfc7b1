/** Takes secrets out of a text. */
export type Redact = (text: string) => string

/** Shorter values are words, and would make holes in ordinary text. */
const shortest = 6

/**
 * Makes a function that takes values out of texts, each line of a value by itself, also as JSON writes it: programs and
 * servers say back what they were given. `***` stands where one was.
 */
export function createRedaction(values: Iterable<string>): Redact {
  const secrets = new Set<string>()
  for (const line of [...values].flatMap((value) => value.split(/\r?\n/))) {
    if (line.length < shortest) continue
    secrets.add(line)
    secrets.add(JSON.stringify(line).slice(1, -1))
  }
  if (secrets.size === 0) return (text) => text
  // The longest first: a value may be part of another one.
  const sorted = [...secrets].toSorted((left, right) => right.length - left.length)
  const any = new RegExp(sorted.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g')
  return (text) => text.replace(any, '***')
}
