import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '@junctor/contracts'
import { readAdmin } from './read-admin.ts'
import { watchedLog } from './watched-log.ts'
import { watchSecrets } from './watch-secrets.ts'

/** Watches a gateway in this process: its output for the operator may contain no secret of a client or a server. */
export interface GatewayWatch {
  /** The log for the nodes. */
  readonly log: Log
  /** The file for their audit. */
  readonly audit: string
  /**
   * Reads what admin ports show now. What is not answered is left out.
   *
   * @param statusAt the port whose status is read too. Absent: none is
   */
  look(admins: readonly string[], statusAt?: string): Promise<void>
  /** Watches no longer, after the nodes are closed. Throws with the leaks, if there are any. */
  end(): void
}

/** @param token of the admin ports */
export function watchGateway(behind: Log, token: string): GatewayWatch {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-watch-'))
  const watch = watchSecrets([token])
  return {
    log: watchedLog(behind, (line) => watch.record('log', line)),
    audit: join(folder, 'audit.ndjson'),
    async look(admins, statusAt) {
      const pages = await Promise.all(admins.map((url) => readAdmin(url, token, url === statusAt)))
      for (const [path, text] of pages.flat()) watch.record(path, text)
    },
    end() {
      for (const name of readdirSync(folder)) watch.record('audit', readFileSync(join(folder, name), 'utf8'))
      rmSync(folder, { recursive: true })
      watch.end()
    },
  }
}
