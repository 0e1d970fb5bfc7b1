import type { LinkFact, Tell } from '@junctor/contracts'
import type { BackendEntry } from '../../shared/backend-entry.ts'

/** Reports an event of a backend. */
export type TellLink = (entry: BackendEntry, fact: LinkFact) => void

/** Reports the events of backends, but not of the gateway's own tools, which do not count as a backend. */
export function linkFacts(tell: Tell): TellLink {
  return (entry, fact) => {
    if (entry.builtIn !== true) tell(fact)
  }
}
