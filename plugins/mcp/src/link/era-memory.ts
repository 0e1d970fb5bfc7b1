import type { Era } from '@junctor/plugin-sdk/link'

/** How a server is opened: with a handshake (up to 2025-11-25), or without one (2026-07-28). It may take both. */
export type ServerEra = 'stateless' | 'handshake'

/** `auto`: the server is asked. The others: it is not, because the configuration knows. */
export type EraChoice = 'auto' | ServerEra

/** How long a server counts as one without an era, in milliseconds: it may be updated meanwhile. */
const lackingMs = 10 * 60_000

/** What is known of the eras of one server, over all its links. */
export interface EraMemory {
  readonly choice: EraChoice
  /** Whether the server speaks an era. Undefined: it must be asked. */
  speaks(era: ServerEra): boolean | undefined
  learn(era: ServerEra, isSpoken: boolean): void
}

/** @param now milliseconds of any clock that only rises */
export function createEraMemory(choice: EraChoice, now: () => number): EraMemory {
  const spoken = new Set<ServerEra>()
  const lackingUntil = new Map<ServerEra, number>()
  return {
    choice,
    speaks(era) {
      if (choice !== 'auto') return era === choice
      if (now() < (lackingUntil.get(era) ?? -Infinity)) return false
      return spoken.has(era) ? true : undefined
    },
    learn(era, isSpoken) {
      if (isSpoken) {
        spoken.add(era)
        lackingUntil.delete(era)
      } else lackingUntil.set(era, now() + lackingMs)
    },
  }
}

/**
 * Whether a link is tried with a handshake first, because its owner opened with one too: code of a server may ask its client
 * only in the way of that era, although the server takes both (docs/decisions/era-of-a-link.md).
 *
 * @param wanted the era of the owner; undefined: owners of both share the link
 */
export function triesHandshakeFirst(server: EraMemory, wanted: Era | undefined): boolean {
  return wanted === 'handshake' && server.speaks('handshake') !== false
}
