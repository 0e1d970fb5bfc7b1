import { type TlsConfig, untimelyCertificates } from '@junctor/config'
import type { Log } from '@junctor/contracts'

/** Warnings about the certificate of a listener. */
export interface CertificateWarnings {
  /** Warns when clients refuse a certificate because of its dates. Says so once until another one is used. */
  use(tls: TlsConfig): void
}

/** Creates the warnings of a listener. */
export function createCertificateWarnings(log: Log): CertificateWarnings {
  let judged: string | undefined
  return {
    use({ cert, file }) {
      if (cert === judged) return
      judged = cert
      for (const { problem, ...certificate } of untimelyCertificates(cert, Date.now())) {
        const fields = { ...certificate, ...(file !== undefined && { file }) }
        log.warn(`a certificate of listen.http.tls ${problem}: clients refuse it`, fields)
      }
    },
  }
}
