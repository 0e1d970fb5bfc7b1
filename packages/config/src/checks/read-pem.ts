import { createPrivateKey, X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { JsonObject } from '@junctor/jsonrpc'
import type { TlsConfig } from '../config.ts'
import { readFailure } from '../document/read-failure.ts'
import { readTextFile } from '../document/read-text-file.ts'
import { describeValue } from '../findings/describe-value.ts'
import { memberAt } from '../findings/member-at.ts'
import type { Finding } from '../problem.ts'
import type { ProblemKind } from '../problem-kind.ts'

type Word = 'cert' | 'key'

/** A certificate with its key. */
export interface ReadPem {
  readonly tls: TlsConfig
  readonly findings: readonly Finding[]
  /** The files that contain them, absolute, also when they could not be read. */
  readonly files: readonly string[]
}

/** Reads the certificate and the key from their files, and checks them. A value that is already PEM stays unchanged. */
export function readPem(tls: TlsConfig, written: JsonObject, folder: string): ReadPem {
  const findings: Finding[] = []
  const files: string[] = []
  const fileOf = (word: Word): string | undefined =>
    tls[word].startsWith('-----BEGIN ') ? undefined : resolve(folder, tls[word])
  const read = (word: Word): string => {
    const file = fileOf(word)
    if (file === undefined) return tls[word]
    files.push(file)
    try {
      const content = readTextFile(file)
      if (content.includes('-----BEGIN ')) return content
      findings.push(finding('not_pem', word, written, 'a file in PEM', 'Convert it, or name another one.'))
    } catch (error) {
      const { reason, next } = readFailure(error, 'Correct the path; it starts from the folder of the configuration.')
      findings.push(finding('pem_unreadable', word, written, `a file that can be read (${reason})`, next))
    }
    return ''
  }
  const pem = { cert: read('cert'), key: read('key') }
  if (findings.length === 0) findings.push(...judgePair(pem))
  const file = fileOf('cert')
  return { tls: { ...pem, ...(file !== undefined && { file }) }, findings, files }
}

/** Finds out here, and not when the gateway listens, whether TLS can use a certificate and its key. */
function judgePair({ cert, key }: TlsConfig): readonly Finding[] {
  const certificate = attempt(() => new X509Certificate(cert))
  if (certificate === undefined) {
    const next = 'Name the file with the certificate, and after it those of the authorities between.'
    return [unusable('cert', 'PEM of something else', 'a certificate', next)]
  }
  const own = attempt(() => createPrivateKey(key))
  if (own === undefined) {
    const next = 'Name the file with the key of the certificate; `openssl pkey` removes a passphrase.'
    return [unusable('key', 'PEM of something else', 'a private key without a passphrase', next)]
  }
  if (!certificate.checkPrivateKey(own)) {
    const next = 'Name the key that the certificate was made for.'
    return [unusable('key', 'the key of another certificate', 'the key of the first certificate in "cert"', next)]
  }
  if (attempt(() => createSecureContext({ cert, key })) !== undefined) return []
  const next = 'Make a new one, with a key of 2048 bits or more for RSA.'
  return [unusable('cert', 'one that OpenSSL refuses', 'a certificate that is strong enough for TLS', next)]
}

/** Undefined: OpenSSL cannot read or use it. */
function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** What was found is described, because a key is a secret. */
function unusable(word: Word, got: string, expected: string, next: string): Finding {
  return { kind: 'certificate_unusable', path: pathOf(word), at: 'value', got, expected, next }
}

function finding(kind: ProblemKind, word: Word, written: JsonObject, expected: string, next: string): Finding {
  const path = pathOf(word)
  return { kind, path, at: 'value', got: describeValue(memberAt(written, path), path), expected, next }
}

function pathOf(word: Word): readonly string[] {
  return ['listen', 'http', 'tls', word]
}
