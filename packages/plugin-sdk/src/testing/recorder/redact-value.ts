import { isJsonObject, type JsonValue } from '@junctor/jsonrpc'

/** Texts, or patterns of texts, that must not be in a recording. */
export type Secrets = readonly (string | RegExp)[]

/** Replaces secrets in a JSON value. */
export type RedactValue = (value: JsonValue) => JsonValue

/** What stands for a secret. */
const stars = '***'

/**
 * Creates a function that replaces secrets in every text of a JSON value, names of members included, by `***`.
 *
 * @throws Error when a secret is an empty text, which is in every text
 */
export function createValueRedaction(secrets: Secrets = []): RedactValue {
  if (secrets.some((secret) => secret === ''))
    throw new Error('expected texts or patterns to redact, got an empty text')
  if (secrets.length === 0) return (value) => value
  // The longest text first, because one may be part of another.
  const texts = secrets.filter((secret) => typeof secret === 'string').toSorted((a, b) => b.length - a.length)
  const patterns = secrets
    .filter((secret) => secret instanceof RegExp)
    .map(({ source, flags }) => new RegExp(source, flags.includes('g') ? flags : `${flags}g`))
  const redactText = (text: string): string => {
    const bare = texts.reduce((rest, secret) => rest.replaceAll(secret, stars), text)
    return patterns.reduce((rest, pattern) => rest.replaceAll(pattern, stars), bare)
  }
  const redact: RedactValue = (value) => {
    if (typeof value === 'string') return redactText(value)
    if (Array.isArray(value)) return value.map(redact)
    if (!isJsonObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [redactText(name), redact(member as JsonValue)]),
    )
  }
  return redact
}
