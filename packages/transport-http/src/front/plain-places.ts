import type { IncomingMessage } from 'node:http'
import { mediaTypes } from '@junctor/protocol'
import type { Place } from './received-request.ts'

/** The paths of Streamable HTTP with nothing to decode in them, no query, and no session. */
const plainPath = /^\/mcp(?:\/([A-Za-z0-9_-]{1,100}))?$/

/**
 * Finds the place of a POST with a message that is written as nearly every client writes it; undefined for any other
 * request.
 */
export function createPlainPlaces(): (
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
) => Place | undefined {
  // Nearly every request repeats the path of the last one.
  let last: string | undefined
  let place: Place | undefined
  return ({ method, url, headers }) => {
    if (method !== 'POST' || headers['content-type'] !== mediaTypes.json) return undefined
    if (url !== last) {
      const [path, tenant] = plainPath.exec(url ?? '') ?? []
      place = path === undefined ? undefined : tenant === undefined ? {} : { tenant }
      last = url
    }
    return place
  }
}
