import { isLoopbackHost } from './admission-authority.ts'

/**
 * Parses a URL that says whom to let in: anyone who can change its content could gain access. It must use HTTPS, or
 * HTTP on this machine, and hold no credentials, because URLs are logged. Returns undefined for any other text.
 */
export function secureUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))
  return secure ? url : undefined
}
