import type { LinkFact, Tell } from '@junctor/contracts'
import type { BackendEntry } from '../../shared/backend-entry.ts'

/** Tells a fact about a backend. */
export type TellLink = (entry: BackendEntry, fact: LinkFact) => void

/** Nothing is told of what is built in: it does not count as a backend. */
export function linkFacts(tell: Tell): TellLink {
  return (entry, fact) => {
    if (entry.builtIn !== true) tell(fact)
  }
}
