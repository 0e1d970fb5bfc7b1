import { isLoopbackHost } from '@junctor/connection'

/**
 * A URL that keys may come from: whoever can change what it answers can let anybody in. HTTPS, or HTTP on this machine;
 * no credentials in it, since URLs are logged. Undefined when a text is no such URL.
 */
export function secureUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))
  return secure ? url : undefined
}
