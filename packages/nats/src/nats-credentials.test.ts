import { describe, expect, it } from 'vitest'
import { readNatsCredentials } from './nats-credentials.ts'

describe('readNatsCredentials', () => {
  // A key of this test alone.
  const file = [
    '-----BEGIN NATS USER JWT-----',
    'head.claims.signature',
    '------END NATS USER JWT------',
    '',
    '-----BEGIN USER NKEY SEED-----',
    'SUAPE7O2APNBWSPWMGJ6SPJFQP7XETZ5RROVJ7B6R6S5T2TK7ULF2JIFYU',
    '------END USER NKEY SEED------',
    '',
  ]

  it.each([
    ['as it is', file.join('\n')],
    ['without the end of its last line, as a reference to it is read', file.join('\n').trimEnd()],
    ['written on Windows', file.join('\r\n')],
  ])('reads a credentials file %s', (_name, credentials) => {
    expect(readNatsCredentials({ credentials }).authenticator('nonce')).toMatchObject({ jwt: 'head.claims.signature' })
  })

  it('refuses a text that is no credentials file', () => {
    expect(() => readNatsCredentials({ credentials: 'secret' })).toThrow('the text of a credentials file')
  })
})
