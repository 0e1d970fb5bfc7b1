import type { IncomingMessage } from 'node:http'
import { metadataPaths, type ServerPaths } from './server-paths.ts'

/**
 * Prepares a request for the library. The library serves its metadata at paths without the path of the issuer, and reads the
 * URL of the server from headers. So the configured URL replaces the headers of proxies and clients. Returns the path.
 *
 * @param client the text under which the request is counted, which is the address of the client to the library
 */
export function prepareRequest(
  request: IncomingMessage & { originalUrl?: string },
  paths: ServerPaths,
  client: string,
): string {
  const { protocol, host } = new URL(paths.issuer)
  const url = withoutPrefix(request.url ?? '', paths)
  for (const name of Object.keys(request.headers)) if (/^(?:x-)?forwarded/.test(name)) delete request.headers[name]
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  request.headers['x-forwarded-host'] = host
  request.headers['x-forwarded-for'] = client
  request.url = url
  request.originalUrl = `${paths.prefix}${url}`
  return url.split('?', 1)[0] ?? ''
}

function withoutPrefix(url: string, { prefix }: ServerPaths): string {
  return metadataPaths.find((path) => prefix !== '' && url.split('?', 1)[0] === `${path}${prefix}`) ?? url
}
