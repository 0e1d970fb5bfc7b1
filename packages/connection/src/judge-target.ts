import { parseAuthority } from './admission-authority.ts'
import { type AdmissionVerdict, admitted, quotedHeader } from './admission-verdict.ts'

/** The first line and the headers of an HTTP request, as Node provides them. */
interface RequestStart {
  readonly url?: string | undefined
  /** Names and values, alternating. */
  readonly rawHeaders: readonly string[]
}

/**
 * Judges whether a request names one host and one caller, else it is refused with 400: `Host` and `Authorization` occur
 * once, and a target in absolute form, which would win over the header, names the same host (RFC 9112 sections 3.2 and
 * 3.2.2). If a request named two, two readers could route it to different hosts, or let in different callers.
 */
export function judgeTarget({ url = '', rawHeaders }: RequestStart): AdmissionVerdict {
  let host: string | undefined
  let isAuthorized = false
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') {
      if (host !== undefined) return refused('Host must come once, got two')
      host = rawHeaders[index + 1] ?? ''
    } else if (name.length === 13 && name.toLowerCase() === 'authorization') {
      if (isAuthorized) return refused('Authorization must come once, got two')
      isAuthorized = true
    }
  }
  // Nearly every target is a path.
  if (url.startsWith('/') || url === '*') return admitted
  const named = absolute.exec(url)?.groups
  if (named === undefined) return refused(`The request target must be a path, got ${quotedHeader(url)}`)
  if (host !== undefined && isSame(named['authority'] ?? '', host)) return admitted
  return refused(`The request target must name the host of the Host header, got ${quotedHeader(url)}`)
}

const absolute = /^https?:\/\/(?<authority>[^/?#]*)/i

function isSame(a: string, b: string): boolean {
  const [first, second] = [parseAuthority(a), parseAuthority(b)]
  return first !== undefined && second !== undefined && first.host === second.host && first.port === second.port
}

function refused(message: string): AdmissionVerdict {
  return { ok: false, situation: 'invalid_request', message }
}
