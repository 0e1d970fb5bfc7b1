import type { Log } from '@junctor/contracts'
import { findLeaks } from './find-leaks.ts'
import { readAdmin } from './read-admin.ts'
import { seeSecrets } from './seen-secrets.ts'
import { watchLog } from './watched-log.ts'

/** Watches a gateway under test: its output for the operator may contain no secret of a client or a server. */
export interface GatewayWatch {
  /** The log for the nodes. */
  readonly log: Log
  /** Throws with the leaks, if the log or what admin ports show has secrets. Watches no longer. */
  end(admins: readonly string[]): Promise<void>
}

/** The most leaks that an error shows. */
const shown = 5

/** @param token of the admin ports */
export function watchGateway(behind: Log, token: string): GatewayWatch {
  const { log, lines } = watchLog(behind)
  const secrets = seeSecrets()
  return {
    log,
    async end(admins) {
      const pages = await Promise.all(admins.map((url) => readAdmin(url, token)))
      secrets.stop()
      const found = new Map(secrets.all())
      found.delete(token)
      const leaks = findLeaks(found, [...pages.flat(), ['log', lines.join('\n')] as const])
      if (leaks.length === 0) return
      const texts = leaks.slice(0, shown).map(({ secret, place, excerpt }) => `${secret} in ${place}: ${excerpt}`)
      throw new Error(`the gateway has shown ${leaks.length} secrets\n${texts.join('\n')}`)
    },
  }
}
