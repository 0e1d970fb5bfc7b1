import { type TlsConfig, untimelyCertificates } from '@junctor/config'
import type { Log } from '@junctor/contracts'

/** Warnings about the certificate at one place of the configuration. */
export interface CertificateWarnings {
  /** Warns when the other side refuses a certificate because of its dates. Says so once until another one is used. */
  use(tls: Pick<TlsConfig, 'cert' | 'file'>): void
}

/**
 * Creates the warnings for one place.
 *
 * @param words lead to the place, such as `listen.http.tls`
 * @param others the certificate is shown to them
 */
export function createCertificateWarnings(words: string, others: 'clients' | 'servers', log: Log): CertificateWarnings {
  let judged: string | undefined
  return {
    use({ cert, file }) {
      if (cert === judged) return
      judged = cert
      for (const { problem, ...certificate } of untimelyCertificates(cert, Date.now())) {
        const fields = { ...certificate, ...(file !== undefined && { file }) }
        log.warn(`a certificate of ${words} ${problem}: ${others} refuse it`, fields)
      }
    },
  }
}
