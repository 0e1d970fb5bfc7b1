import { X509Certificate } from 'node:crypto'

/** A certificate that others refuse because of its dates: now, or soon. */
export interface UntimelyCertificate {
  readonly problem: 'has expired' | 'is not yet valid' | 'expires soon'
  /** `CN=gw.example.com` */
  readonly subject: string
  /** The first and the last moment of its validity, in ISO 8601. */
  readonly validFrom: string
  readonly validTo: string
}

/** A certificate expires soon in its last two weeks. Of one that is valid for a shorter time, it is the last sixth of that. */
const soonMs = 14 * 24 * 60 * 60_000
const soonPart = 1 / 6

/**
 * Finds the certificates that have expired, expire soon or are not yet valid.
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
  if (fromMs > nowMs) return 'is not yet valid'
  return toMs - nowMs < Math.min(soonMs, (toMs - fromMs) * soonPart) ? 'expires soon' : undefined
}
