import type { Fact } from '@junctor/contracts'
import { redactAndCut } from '../log/redact-and-cut.ts'

/** Characters of what an error says that are kept. */
const mostCharacters = 1000

/** A fact as it is kept: without secrets, and none as long as a backend likes. Most are kept as they are. */
export function keptFact(fact: Fact): Fact {
  if (fact.kind !== 'link_failed') return fact
  // A part of a text holds all of it in memory; a copy does not.
  const message = Buffer.from(redactAndCut(fact.message, mostCharacters)).toString()
  return { ...fact, message }
}
