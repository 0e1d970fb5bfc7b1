import { silentLog } from '@junctor/contracts'
import { expiredCertificate, testCredentials } from '@junctor/testkit'
import { onTestFinished, expect, test, vi } from 'vitest'
import { createCertificateWarnings } from './certificate-warnings.ts'

test('a certificate that comes to its end while it is in use is told of before and after, once each', () => {
  vi.useFakeTimers({ now: Date.parse('2024-12-01T00:00:00Z') })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const told: string[] = []
  const certificates = createCertificateWarnings('listen.http.tls', 'clients', {
    ...silentLog,
    warn: (message) => told.push(message),
  })
  const [soon, expired] = ['expires soon: clients will refuse it', 'has expired: clients refuse it'].map(
    (end) => `a certificate of listen.http.tls ${end}`,
  )
  const pass = (days: number): unknown => vi.advanceTimersByTime(days * 24 * 60 * 60_000)
  certificates.use({ cert: expiredCertificate })
  pass(16)
  expect(told).toEqual([])
  pass(2)
  expect(told).toEqual([soon])
  pass(20)
  expect(told).toEqual([soon, expired])
  certificates.use({ cert: testCredentials.cert })
  certificates.close()
  expect(vi.getTimerCount()).toBe(0)
})
