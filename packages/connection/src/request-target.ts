import type { IncomingMessage } from 'node:http'

/** The method and the path of a request, without its query. */
export function requestTarget({ method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>): {
  readonly method: string
  readonly path: string
} {
  const [path = ''] = url.split('?', 1)
  return { method, path }
}
