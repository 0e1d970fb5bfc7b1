import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Log } from '@junctor/contracts'

/** The certificates of authorities that a process trusts besides those that Node.js knows: `NODE_EXTRA_CA_CERTS`. */
export interface ExtraAuthorities {
  /** The absolute path of their file, in a list; without the variable an empty list. */
  readonly files: readonly string[]
  /**
   * Reads the file again. When it has changed, every connection that opens later trusts these certificates in place of
   * those before. A file that cannot be used changes nothing, and the log says so.
   */
  renew(): void
}

const certificates = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Finds the file, which Node.js itself reads only once. */
export function createExtraAuthorities({ NODE_EXTRA_CA_CERTS: named }: NodeJS.ProcessEnv, log: Log): ExtraAuthorities {
  if (named === undefined || named === '') return { files: [], renew() {} }
  const file = resolve(named)
  let text = readOrEmpty(file)
  let others: readonly string[] | undefined

  return {
    files: [file],
    renew() {
      try {
        const now = readFileSync(file, 'utf8')
        if (now === text) return
        const found = now.match(certificates)
        if (found === null) throw new Error('Expected certificates in PEM, got none')
        others ??= otherAuthorities()
        process.getBuiltinModule('node:tls').setDefaultCACertificates([...others, ...found])
        text = now
        log.info('the trusted authorities are renewed', { file, certificates: found.length })
      } catch (error) {
        log.warn('the trusted authorities could not be renewed; those before stay in use', { file, error })
      }
    },
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** What Node.js trusts without the file. Read only when needed: it takes longer than the start of a small node. */
function otherAuthorities(): readonly string[] {
  const { getCACertificates } = process.getBuiltinModule('node:tls')
  const extra = new Set(getCACertificates('extra'))
  const bundled = new Set(getCACertificates('bundled'))
  return getCACertificates('default').filter((certificate) => bundled.has(certificate) || !extra.has(certificate))
}
