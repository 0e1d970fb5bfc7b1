import { redactText } from './redact-text.ts'

/** Characters of a text of somebody else's that are kept. */
const mostCharacters = 1000
/** What is looked at beyond the cut: a secret that is cut through is no longer recognized. */
const beyondCut = 3000

/** A text that comes from outside, such as what an error of a backend says: without secrets, and cut when it is long. */
export function redactForeign(text: string): string {
  const clean = redactText(text.slice(0, mostCharacters + beyondCut))
  return clean.length > mostCharacters ? `${clean.slice(0, mostCharacters)}...` : clean
}
