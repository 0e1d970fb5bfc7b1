import type { IncomingMessage } from 'node:http'
import { mediaTypes } from '@junctor/protocol'
import { type NamedPath, namedPath } from './request/named-path.ts'

/** The paths of Streamable HTTP with nothing to decode in them, no query, and no session. */
const plainPath = /^\/mcp(?:\/([A-Za-z0-9_-]{1,100}))?(?:\/-\/([A-Za-z0-9_-]{1,100}))?$/

/**
 * Creates a reader of the path of a POST whose path and headers have the form that nearly every client sends. It returns
 * what the path names; undefined for any other request.
 */
export function createPlainPathReader(): (
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
) => NamedPath | undefined {
  // Nearly every request repeats the path of the last one.
  let last: string | undefined
  let path: NamedPath | undefined
  return ({ method, url, headers }) => {
    if (method !== 'POST' || headers['content-type'] !== mediaTypes.json) return undefined
    if (url !== last) {
      path = pathOf(plainPath.exec(url ?? ''))
      last = url
    }
    return path
  }
}

function pathOf(found: RegExpExecArray | null): NamedPath | undefined {
  if (found === null) return undefined
  const [, tenant, backend] = found
  return namedPath({ tenant, backend })
}
