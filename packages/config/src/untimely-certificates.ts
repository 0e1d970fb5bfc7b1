import { X509Certificate } from 'node:crypto'

/** A certificate that clients refuse now, because of its dates. */
export interface UntimelyCertificate {
  readonly problem: 'has expired' | 'is not yet valid'
  /** `CN=gw.example.com` */
  readonly subject: string
  /** The first and the last moment of its validity, in ISO 8601. */
  readonly validFrom: string
  readonly validTo: string
}

/**
 * Finds the certificates that have expired or are not yet valid.
 *
 * @param cert in PEM, followed by those of the authorities between
 */
export function untimelyCertificates(cert: string, nowMs: number): readonly UntimelyCertificate[] {
  const blocks = cert.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.flatMap((block) => {
    const { subject, validFromDate, validToDate } = new X509Certificate(block)
    const problem = problemOf(validFromDate.getTime(), validToDate.getTime(), nowMs)
    if (problem === undefined) return []
    const dates = { validFrom: validFromDate.toISOString(), validTo: validToDate.toISOString() }
    return [{ problem, subject: subject.replaceAll('\n', ', '), ...dates }]
  })
}

function problemOf(fromMs: number, toMs: number, nowMs: number): UntimelyCertificate['problem'] | undefined {
  if (toMs < nowMs) return 'has expired'
  return fromMs > nowMs ? 'is not yet valid' : undefined
}
