import { expect, it } from 'vitest'
import { untimelyCertificates } from '../src/untimely-certificates.ts'
import { certificate } from './certificate.ts'

it('finds each certificate of a chain that has expired, expires within two weeks or is not yet valid', () => {
  const found = { subject: 'CN=gw', validFrom: '2026-11-26T13:12:18.000Z', validTo: '2126-11-02T13:12:18.000Z' }
  const at = (time: string): unknown => untimelyCertificates(`${certificate}\n${certificate}`, Date.parse(time))
  const early = { problem: 'is not yet valid', ...found }
  const expired = { problem: 'has expired', ...found }
  expect(at('2026-11-26T13:12:17Z')).toEqual([early, early])
  expect(at('2026-11-26T13:12:18Z')).toEqual([])
  const soon = { problem: 'expires soon', ...found }
  expect(at('2126-10-19T13:12:18Z')).toEqual([])
  expect(at('2126-10-19T13:12:19Z')).toEqual([soon, soon])
  expect(at('2126-11-02T13:12:18Z')).toEqual([soon, soon])
  expect(at('2126-11-02T13:12:19Z')).toEqual([expired, expired])
})
