/** What is known of a server: whether it speaks 2026-07-28, or opens with a handshake. */
type KnownEra = 'stateless' | 'handshake'

/** `auto`: the server is asked. The others: it is not, because the configuration knows. */
export type EraChoice = 'auto' | KnownEra

/** How long a server counts as one with a handshake, in milliseconds: it may be updated meanwhile. */
const handshakeMs = 10 * 60_000

/** The era of one server, over all its links. */
export interface EraMemory {
  readonly choice: EraChoice
  /** Undefined: it must be asked. */
  readonly known: KnownEra | undefined
  learn(era: KnownEra): void
}

/** @param now milliseconds of any clock that only rises */
export function createEraMemory(choice: EraChoice, now: () => number): EraMemory {
  let era: KnownEra | undefined
  let until = 0
  return {
    choice,
    get known() {
      if (choice !== 'auto') return choice
      return era === 'handshake' && now() >= until ? undefined : era
    },
    learn(learned) {
      era = learned
      until = now() + handshakeMs
    },
  }
}
