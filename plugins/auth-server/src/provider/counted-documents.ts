import { errors } from 'oidc-provider'
import { createAddressLimit } from './address-limit.ts'
import { UnreadDocument } from './unread-documents.ts'

/** Documents of clients that are read for one address in a minute. Each is a request to a server that the address names. */
const mostDocuments = 60

/**
 * Counts a document that is to be read, or rejects as if it could not be read now.
 *
 * @param client the text under which it is counted
 */
export type CountDocument = (client: string) => Promise<void>

/** Creates the function that counts documents. */
export function createDocumentCounter(): CountDocument {
  const limit = createAddressLimit(mostDocuments)
  return async (client) => {
    if ((await limit(client)).kind === 'allowed') return
    const cause = new UnreadDocument('too many documents were asked for from the address of the client')
    throw new errors.InvalidClient('client_id metadata document not fetched', { cause })
  }
}
