import { AsyncLocalStorage } from 'node:async_hooks'
import type { Configuration } from 'oidc-provider'
import { createAddressLimit } from './address-limit.ts'
import { UnreadDocument } from './unread-documents.ts'

type Fetch = NonNullable<Configuration['fetch']>

/** Documents of clients that are read for one address in a minute. Each is a request to a server that the address names. */
const mostDocuments = 60

/** A fetch that counts for whom it reads. */
export interface CountedDocuments {
  /** Rejects with an `UnreadDocument` when too many were read for the client whose request is being answered. */
  readonly fetch: Fetch
  /**
   * Answers a request. What is read meanwhile counts for its client, whatever part of the library reads it: the document of a
   * client, its keys, or what these name.
   *
   * @param client the text under which it is counted
   */
  readonly countFor: <Answer>(client: string, answer: () => Answer) => Answer
}

/** Counts the documents that a fetch reads. */
export function countDocuments(fetch: Fetch): CountedDocuments {
  const limit = createAddressLimit(mostDocuments)
  const clients = new AsyncLocalStorage<string>()
  return {
    async fetch(url, options) {
      if ((await limit(clients.getStore() ?? '')).kind === 'allowed') return fetch(url, options)
      throw new UnreadDocument('too many documents were asked for from the address of the client')
    },
    countFor: (client, answer) => clients.run(client, answer),
  }
}
