import { redactText } from './redact-text.ts'

/** What is looked at beyond the cut: a secret that is cut through is no longer recognized. */
const beyondCut = 3000

/**
 * A text without secrets, and cut when it is longer than so many characters: nobody has to look for secrets in all of
 * what somebody else sends.
 */
export function redactAndCut(text: string, mostCharacters: number): string {
  const clean = redactText(text.length > mostCharacters ? text.slice(0, mostCharacters + beyondCut) : text)
  return clean.length > mostCharacters ? `${clean.slice(0, mostCharacters)}...` : clean
}
