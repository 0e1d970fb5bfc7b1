import type { IncomingMessage, ServerResponse } from 'node:http'

/** Cookies of pages that no other site and no script can read. */
export interface Cookies {
  /** The value of a cookie. Undefined: the browser does not have it. */
  read(request: IncomingMessage, name: string): string | undefined
  /** @param seconds how long the browser keeps it */
  set(response: ServerResponse, name: string, value: string, seconds: number): void
}

/**
 * Creates the reader and writer of these cookies.
 *
 * @param isSecure whether people reach the pages over https: then browsers send them nowhere else (`__Host-`)
 */
export function createCookies(isSecure: boolean): Cookies {
  const full = (name: string): string => `${isSecure ? '__Host-' : ''}junctor_${name}`
  return {
    read(request, name) {
      const wanted = `${full(name)}=`
      const found = request.headers.cookie?.split(/;\s*/).find((pair) => pair.startsWith(wanted))
      return found?.slice(wanted.length)
    },
    set(response, name, value, seconds) {
      const secure = isSecure ? '; Secure' : ''
      const cookie = `${full(name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
      response.appendHeader('set-cookie', cookie)
    },
  }
}
