import type { ReceivedError } from './seen-secrets.ts'

/** A secret that was found where it must not be. The secret itself is not shown: this is printed. */
export interface Leak {
  /** What the secret is: `http, sent authorization`. */
  readonly secret: string
  /** Where it was found. */
  readonly place: string
  /** The text around it. */
  readonly excerpt: string
}

/** How much of the text on both sides is shown, in characters. */
const around = 80

/**
 * Looks for secrets in texts by their place, and for those of others in errors. Returns each secret once for each place.
 */
export function findLeaks(
  secrets: ReadonlyMap<string, string>,
  texts: Iterable<readonly [place: string, text: string]>,
  errors: Iterable<ReceivedError> = [],
): readonly Leak[] {
  const leaks: Leak[] = []
  const look = (secret: string, what: string, place: string, text: string): void => {
    const at = text.indexOf(secret)
    if (at === -1) return
    const [before, after] = [text.slice(Math.max(0, at - around), at), text.slice(at + secret.length).slice(0, around)]
    leaks.push({ secret: what, place, excerpt: `${before}<here>${after}` })
  }
  for (const [place, text] of texts) for (const [secret, what] of secrets) look(secret, what, place, text)
  for (const { way, text, own } of errors) {
    for (const [secret, what] of secrets) if (!own.has(secret)) look(secret, what, `error over ${way}`, text)
  }
  return leaks
}
