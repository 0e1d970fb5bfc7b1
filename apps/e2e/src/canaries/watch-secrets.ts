import { findLeaks } from './find-leaks.ts'
import { seeProcess } from './see-process.ts'
import { createSeenSecrets } from './seen-secrets.ts'

/** Searches the output for operators, and errors for other clients, for the secrets that pass in this process. */
export interface SecretsWatch {
  /** Keeps a piece of the output for operators. @param place such as `log` or `/status`; its pieces are one text */
  record(place: string, piece: string): void
  /** Watches no longer. Throws with the leaks, if there are any. */
  end(): void
}

/** The most leaks that an error shows. */
const shown = 5

/** @param allowed secrets that are the test's own, such as the token of the admin port */
export function watchSecrets(allowed: readonly string[] = []): SecretsWatch {
  const secrets = createSeenSecrets()
  const stop = seeProcess(secrets)
  const recorded = new Map<string, string[]>()
  return {
    record(place, piece) {
      const pieces = recorded.get(place)
      if (pieces === undefined) recorded.set(place, [piece])
      else pieces.push(piece)
    },
    end() {
      stop()
      const found = new Map(secrets.all)
      for (const secret of allowed) found.delete(secret)
      const texts = [...recorded].map(([place, pieces]) => [place, pieces.join('')] as const)
      const leaks = findLeaks(found, texts, secrets.errors)
      if (leaks.length === 0) return
      const lines = leaks.slice(0, shown).map(({ secret, place, excerpt }) => `${secret} in ${place}: ${excerpt}`)
      throw new Error(`the gateway has shown ${leaks.length} secrets\n${lines.join('\n')}`)
    },
  }
}
