import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { JsonObject } from '@junctor/jsonrpc'
import type { TlsConfig } from '../config.ts'
import { describeValue } from '../findings/describe-value.ts'
import { memberAt } from '../findings/member-at.ts'
import type { Finding } from '../problem.ts'
import type { ProblemKind } from '../problem-kind.ts'

/** A certificate with its key. */
export interface ReadPem {
  readonly tls: TlsConfig
  readonly findings: readonly Finding[]
  /** The files that contain them, absolute, also when they could not be read. */
  readonly files: readonly string[]
}

/** Reads the certificate and the key from their files. A value that is already PEM stays unchanged. */
export function readPem(tls: TlsConfig, written: JsonObject, folder: string): ReadPem {
  const findings: Finding[] = []
  const files: string[] = []
  const read = (word: 'cert' | 'key'): string => {
    if (tls[word].startsWith('-----BEGIN ')) return tls[word]
    const file = resolve(folder, tls[word])
    files.push(file)
    try {
      const content = readFileSync(file, 'utf8')
      if (content.includes('-----BEGIN ')) return content
      findings.push(finding('not_pem', word, written, 'a file in PEM', 'Convert it, or name another one.'))
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code ?? 'unknown'
      const next = 'Correct the path; it starts from the folder of the configuration.'
      findings.push(finding('pem_unreadable', word, written, `a file that can be read (${reason})`, next))
    }
    return ''
  }
  return { tls: { cert: read('cert'), key: read('key') }, findings, files }
}

function finding(kind: ProblemKind, word: string, written: JsonObject, expected: string, next: string): Finding {
  const path = ['listen', 'http', 'tls', word]
  return { kind, path, at: 'value', got: describeValue(memberAt(written, path), path), expected, next }
}
