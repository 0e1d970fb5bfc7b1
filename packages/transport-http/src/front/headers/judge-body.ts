import type { AdmissionVerdict } from '@junctor/connection'
import type { Head } from '@junctor/contracts'
import { judgeContentEncoding, judgeContentType } from './judge-headers.ts'
import { headers } from '@junctor/protocol'

/** Checks the headers of a POST that describe its body (415). */
export function judgeBody(head: Pick<Head, 'header'>): AdmissionVerdict {
  const verdict = judgeContentType(head.header(headers.contentType))
  return verdict.ok ? judgeContentEncoding(head.header('content-encoding')) : verdict
}
