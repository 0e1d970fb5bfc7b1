import { type AdmissionVerdict, type Head, judgeContentEncoding, judgeContentType } from '@junctor/exchange'
import { headers } from '@junctor/protocol'

/** Judges what the headers of a POST say of its body (415). */
export function judgeBody(head: Pick<Head, 'header'>): AdmissionVerdict {
  const verdict = judgeContentType(head.header(headers.contentType))
  return verdict.ok ? judgeContentEncoding(head.header('content-encoding')) : verdict
}
