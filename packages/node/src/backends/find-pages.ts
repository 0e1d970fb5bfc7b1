import type { Fabric, Front, Log } from '@junctor/contracts'
import {
  type AccountsParts,
  accountsPath,
  answerAccounts,
  createAccountTickets,
  createCookies,
} from '@junctor/credentials/accounts'
import type { HttpPages } from '@junctor/plugin-sdk'
import { createPacedWarning, isUnstored, type PacedWarning, sendUnstored } from '@junctor/plugin-sdk/pages'
import { pagesAt } from './backend-offers.ts'
import type { ServedConfig } from '../reload/served-config.ts'

/** Where pages come from: the front (metadata of the gateway) and the backends of the configuration. */
export interface FindPagesParts {
  readonly served: Pick<ServedConfig, 'config' | 'offers'>
  readonly front: Pick<Front, 'metadata'>
  readonly fabric: Pick<Fabric, 'store' | 'seal'>
  readonly log: Log
}

/** Creates the search for the page of a path beside the endpoints: of the gateway itself, or of a backend. */
export function findPages({
  served,
  front,
  fabric,
  log,
}: FindPagesParts): (path: string) => HttpPages['handle'] | undefined {
  const tickets = createAccountTickets(fabric)
  const shared = { tickets, seal: fabric.seal, log, now: Date.now }
  const find = (path: string): HttpPages['handle'] | undefined => {
    const accounts = path.startsWith(accountsPath) ? accountPages(served, shared) : undefined
    if (accounts !== undefined) return accounts
    const { config, offers } = served
    const known = path === config.discovery.oauthPaths.resource ? front.metadata?.(undefined, path) : undefined
    if (known === undefined) return pagesAt(offers.values(), path)?.handle
    const text = JSON.stringify(known)
    return (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(text)
    }
  }
  const unshown = createPacedWarning(log, 'a page cannot be shown, because the fabric does not answer', 'requests')
  return (path) => {
    const handle = find(path)
    return handle && orUnstored(handle, unshown)
  }
}

/** Tells people that the storage does not answer. All else that a page rejects with is answered by the front. */
function orUnstored(handle: HttpPages['handle'], unshown: PacedWarning): HttpPages['handle'] {
  return async (request, response, client) => {
    try {
      await handle(request, response, client)
    } catch (error) {
      if (!isUnstored(error) || !sendUnstored(request, response)) throw error
      unshown(String(error))
    }
  }
}

/** The page of all accounts of a person. Undefined: no backend is called with accounts of people. */
function accountPages(
  { config, offers }: Pick<ServedConfig, 'config' | 'offers'>,
  shared: Omit<AccountsParts, 'sources' | 'cookies'>,
): HttpPages['handle'] | undefined {
  const sources = new Map([...offers].flatMap(([name, { accounts }]) => (accounts ? [[name, accounts]] : [])))
  if (sources.size === 0) return undefined
  const cookies = createCookies(config.publicUrl?.startsWith('https:') === true)
  return (request, response) => answerAccounts({ ...shared, sources, cookies }, request, response)
}
