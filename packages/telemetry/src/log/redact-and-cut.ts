import { redactText } from './redact-text.ts'

/** How much is checked after the truncation point, because a truncated secret is no longer recognised. */
const beyondCut = 3000

/**
 * Returns a text without secrets, truncated to a maximum number of characters. Only the beginning of a very long text
 * is searched for secrets.
 */
export function redactAndCut(text: string, mostCharacters: number): string {
  const clean = redactText(text.length > mostCharacters ? text.slice(0, mostCharacters + beyondCut) : text)
  return clean.length > mostCharacters ? `${clean.slice(0, mostCharacters)}...` : clean
}
