import type { BrokenFile } from './wrong-values.ts'

/** Files whose certificate or key is PEM, and yet of no use. */
export const unusableCertificates: readonly BrokenFile[] = [
  [
    'a key in place of the certificate',
    'listen: { http: { tls: { cert: only.key, key: only.key } } }',
    '1:32 listen.http.tls.cert | PEM of something else | a certificate | Name the file with the certificate, and after it those of the authorities between.',
  ],
  [
    'a certificate in place of the key',
    'listen: { http: { tls: { cert: only.crt, key: only.crt } } }',
    '1:47 listen.http.tls.key | PEM of something else | a private key without a passphrase | Name the file with the key of the certificate; `openssl pkey` removes a passphrase.',
  ],
  [
    'the key of another certificate',
    'listen: { http: { tls: { cert: only.crt, key: other.key } } }',
    '1:47 listen.http.tls.key | the key of another certificate | the key of the first certificate in "cert" | Name the key that the certificate was made for.',
  ],
]
