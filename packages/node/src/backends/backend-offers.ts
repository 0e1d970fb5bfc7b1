import type { AccountSource, HttpPages, TokenIssuer } from '@junctor/plugin-sdk'

/** What a backend offers beside its links. */
export interface BackendOffers {
  readonly pages: readonly HttpPages[]
  /** Undefined: it issues no tokens. */
  readonly tokens: TokenIssuer | undefined
  /** Undefined: people have no accounts at its server. */
  readonly accounts: AccountSource | undefined
}

/** The pages of a path, among those of all backends. The first backend that has it serves it. */
export function pagesAt(all: Iterable<BackendOffers>, path: string): HttpPages | undefined {
  for (const { pages } of all) {
    const found = pages.find(({ paths }) => paths.some((known) => isAt(known, path)))
    if (found !== undefined) return found
  }
  return undefined
}

function isAt(known: string, path: string): boolean {
  return known.endsWith('/*') ? path.startsWith(known.slice(0, -1)) : path === known
}
