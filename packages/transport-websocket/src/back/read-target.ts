import { checkConfiguredHeader, headers as names, JunctorError } from '@junctor/protocol'
import type { ConnectOptions } from './connect.ts'

/**
 * Parses the URL and headers of a configured server.
 *
 * @throws JunctorError `CONFIG_INVALID` for a URL or header that cannot be used
 */
export function readTarget(
  url: string,
  headers: Readonly<Record<string, string>>,
): Pick<ConnectOptions, 'url' | 'headers'> {
  return { url: readUrl(url), headers: readHeaders(headers) }
}

function readUrl(url: string): URL {
  const parsed = URL.parse(url)
  if (parsed === null || (parsed.protocol !== 'ws:' && parsed.protocol !== 'wss:')) {
    throw new JunctorError('CONFIG_INVALID', 'Expected an absolute URL with ws or wss, got something else')
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new JunctorError('CONFIG_INVALID', 'Expected a URL without credentials: put them into a header')
  }
  parsed.hash = ''
  return parsed
}

/** Headers that belong to the protocol or the connection: a configured value would break either. */
const reserved = new RegExp(`^(?:${names.host}|connection|upgrade|sec-websocket-.*|content-length|transfer-encoding)$`)

function readHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    checkConfiguredHeader(name, value, (lower) => reserved.test(lower))
  }
  return { 'user-agent': 'junctor', ...headers }
}
