import type { Front } from '@junctor/contracts'
import type { HttpPages } from '@junctor/plugin-sdk'
import { pagesAt } from './backend-offers.ts'
import type { ServedConfig } from './served-config.ts'

/** Creates the search for the page of a path beside the endpoints: of the gateway itself, or of a backend. */
export function findPages(
  served: Pick<ServedConfig, 'config' | 'offers'>,
  front: Pick<Front, 'metadata'>,
): (path: string) => HttpPages['handle'] | undefined {
  return (path) => {
    const { config, offers } = served
    const known = path === config.discovery.oauthPaths.resource ? front.metadata?.(undefined) : undefined
    if (known === undefined) return pagesAt(offers.values(), path)?.handle
    const text = JSON.stringify(known)
    return (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(text)
    }
  }
}
