/** Removes secrets from a text. */
export type Redact = (text: string) => string

/** Shorter values are often ordinary words; redacting them would damage ordinary text. */
const shortest = 6

/**
 * Creates a function that removes values from texts, each line of a value separately, also in their JSON form, because
 * programs and servers repeat their input. Each occurrence is replaced by `***`.
 */
export function createRedaction(values: Iterable<string>): Redact {
  const secrets = new Set<string>()
  for (const line of [...values].flatMap((value) => value.split(/\r?\n/))) {
    if (line.length < shortest) continue
    secrets.add(line)
    secrets.add(JSON.stringify(line).slice(1, -1))
  }
  if (secrets.size === 0) return (text) => text
  // The longest first, because a value may be part of another one.
  const sorted = [...secrets].toSorted((left, right) => right.length - left.length)
  const any = new RegExp(sorted.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g')
  return (text) => text.replace(any, '***')
}
