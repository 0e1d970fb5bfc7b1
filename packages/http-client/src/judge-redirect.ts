/** What a client does with a response that may be a redirect. */
export type RedirectVerdict =
  /** The response is not a redirect: it is the answer. */
  | { readonly kind: 'answer' }
  | {
      readonly kind: 'follow'
      readonly url: URL
      readonly method: string
      /** Whether the body is sent again. */
      readonly withBody: boolean
      /** Whether the request goes to another origin, which must not receive the headers of the first. */
      readonly otherOrigin: boolean
    }
  | { readonly kind: 'refused'; readonly why: string }

/** A response, as far as redirects are concerned. */
export interface Redirected {
  /** The URL that was requested. */
  readonly from: URL
  readonly method: string
  readonly hasBody: boolean
  readonly status: number
  /** The header `Location`. */
  readonly location: string | undefined
  /** How many redirects may still be followed. */
  readonly left: number
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Judges a response as RFC 9110 section 15.4 does, but more strictly: a redirect never leads from https to http, and a
 * body is never sent to an origin that the caller did not name.
 */
export function judgeRedirect({ from, method, hasBody, status, location, left }: Redirected): RedirectVerdict {
  if (!redirects.has(status) || location === undefined) return { kind: 'answer' }
  const url = URL.canParse(location, from.href) ? new URL(location, from) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return { kind: 'refused', why: 'the redirect does not name a URL with http or https' }
  }
  if (left <= 0) return { kind: 'refused', why: 'there were too many redirects' }
  if (from.protocol === 'https:' && url.protocol === 'http:') {
    return { kind: 'refused', why: 'the redirect leads from https to http' }
  }
  // The fragment of the first request is of no use to a server, and credentials in a redirect are not the caller's.
  url.username = ''
  url.password = ''
  const otherOrigin = url.origin !== from.origin
  const becomesGet = status === 303 ? method !== 'HEAD' : (status === 301 || status === 302) && method === 'POST'
  if (becomesGet) return { kind: 'follow', url, method: 'GET', withBody: false, otherOrigin }
  if (otherOrigin && hasBody) return { kind: 'refused', why: 'the redirect would send the body to another origin' }
  return { kind: 'follow', url, method, withBody: hasBody, otherOrigin }
}
