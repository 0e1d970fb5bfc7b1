import { type TlsConfig, untimelyCertificates } from '@junctor/config'
import type { Log } from '@junctor/contracts'

/** Warnings about the certificate at one place of the configuration. */
export interface CertificateWarnings {
  /**
   * Warns when the other side refuses a certificate because of its dates, or will do so soon. It is looked at now, and
   * every hour until another one is used. Each problem is told once.
   */
  use(tls: Pick<TlsConfig, 'cert' | 'file'>): void
  close(): void
}

const hourMs = 60 * 60_000

/**
 * Creates the warnings for one place.
 *
 * @param words lead to the place, such as `listen.http.tls`
 * @param others the certificate is shown to them
 */
export function createCertificateWarnings(words: string, others: 'clients' | 'servers', log: Log): CertificateWarnings {
  let used: string | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    use({ cert, file }) {
      if (cert === used) return
      used = cert
      const told = new Set<string>()
      const judge = (): void => {
        for (const { problem, ...certificate } of untimelyCertificates(cert, Date.now())) {
          const key = `${problem} ${certificate.subject}`
          if (told.has(key)) continue
          told.add(key)
          const fields = { ...certificate, ...(file !== undefined && { file }) }
          const refuse = problem === 'expires soon' ? `${others} will refuse it` : `${others} refuse it`
          log.warn(`a certificate of ${words} ${problem}: ${refuse}`, fields)
        }
      }
      judge()
      clearInterval(timer)
      timer = setInterval(judge, hourMs).unref()
    },
    close: () => clearInterval(timer),
  }
}
