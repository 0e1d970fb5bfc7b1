import type { Fact } from '@junctor/contracts'
import { redactAndCut } from '../log/redact-and-cut.ts'

/** The maximum length of an error message, in characters. */
const mostCharacters = 1000

/** Returns a fact as it is stored: without secrets, and with a bounded message. Most facts are unchanged. */
export function keptFact(fact: Fact): Fact {
  if (fact.kind !== 'link_failed') return fact
  // A substring would keep the whole text in memory; a copy does not.
  const message = Buffer.from(redactAndCut(fact.message, mostCharacters)).toString()
  return { ...fact, message }
}
