import type { BackendConfig } from '@junctor/config'
import { isJsonObject } from '@junctor/jsonrpc'

/** Shorter values are words, and would make holes in ordinary text. */
const shortest = 6

/** Where secrets stand in the options of backends. */
const secretWords: readonly string[] = ['env', 'headers', 'auth']

/**
 * Takes out of a text what a backend was given and nobody else may see: what its references became, and all in its
 * environment, headers and credentials. Programs and servers say back what they were given.
 */
export function withoutValues(
  text: string,
  { options, referred }: Pick<BackendConfig, 'options' | 'referred'>,
): string {
  const members = isJsonObject(options) ? options : {}
  const values = [...referred, ...secretWords.flatMap((word) => textsIn(members[word]))]
  const secrets = values.filter((value) => value.length >= shortest).toSorted((a, b) => b.length - a.length)
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '(secret)'), text)
}

/** A header's value is often a word and the secret itself. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value, ...value.split(/\s+/)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
