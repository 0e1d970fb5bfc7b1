import { expect, test } from 'vitest'
import { assertUsableIssuer, type IssuerOptions } from './issuer-options.ts'

const usable: IssuerOptions = {
  issuer: 'https://id.example.com/realms/one',
  audience: ['https://gw.example.com/mcp'],
  algorithms: ['RS256'],
}

test.each<Partial<IssuerOptions>>([
  {},
  { issuer: 'http://127.0.0.1:8080' },
  { issuer: 'http://[::1]:8080' },
  { jwksUri: 'https://keys.example.com/set?tenant=1' },
  { algorithms: ['PS512', 'ES384', 'EdDSA', 'Ed25519'] },
  { audience: ['api://gateway', 'gateway'] },
])('%o is valid', (options) => {
  expect(() => assertUsableIssuer({ ...usable, ...options })).not.toThrow()
})

test.each<[Partial<IssuerOptions>, RegExp]>([
  [{ issuer: '' }, /issuer must be an https URL/],
  [{ issuer: 'id.example.com' }, /issuer must be an https URL/],
  [{ issuer: 'http://id.example.com' }, /issuer must be an https URL/],
  [{ issuer: 'http://127.0.0.1.example.com' }, /issuer must be an https URL/],
  [{ issuer: 'file:///etc/passwd' }, /issuer must be an https URL/],
  [{ issuer: 'https://id.example.com?tenant=1' }, /issuer must be an https URL/],
  [{ issuer: 'https://id.example.com#x' }, /issuer must be an https URL/],
  [{ issuer: 'https://ada:secret@id.example.com' }, /issuer must be an https URL/],
  [{ jwksUri: 'http://keys.example.com' }, /jwksUri must be an https URL/],
  [{ jwksUri: 'data:application/json,{}' }, /jwksUri must be an https URL/],
  [{ audience: [] }, /at least one audience/],
  [{ audience: ['x', ''] }, /at least one audience/],
  [{ algorithms: [] }, /algorithms must be at least one of RS256/],
  [{ algorithms: ['RS256', 'HS256'] }, /got "HS256"/],
  [{ algorithms: ['none'] }, /got "none"/],
])('%o is refused', (options, message) => {
  expect(() => assertUsableIssuer({ ...usable, ...options })).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) }),
  )
})
