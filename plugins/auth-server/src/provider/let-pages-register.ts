import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Lets clients in pages of any origin register, and read the answer (Fetch standard, CORS). The library does this for all
 * of its other endpoints. A registration has no credentials, so the origin does not matter.
 *
 * @returns `answered`: the request was a preflight, and is answered
 */
export function letPagesRegister({ method }: IncomingMessage, response: ServerResponse): 'answered' | 'open' {
  response.setHeader('access-control-allow-origin', '*')
  if (method !== 'OPTIONS') {
    response.setHeader('access-control-expose-headers', 'retry-after')
    return 'open'
  }
  response.writeHead(204, {
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'accept, content-type, mcp-protocol-version',
    'access-control-max-age': '3600',
  })
  response.end()
  return 'answered'
}
