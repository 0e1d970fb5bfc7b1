import type { Identity, MessageEndpoints, PostResult } from '@junctor/contracts'

/**
 * Creates the message endpoints for the clients of this process.
 *
 * @param newName returns a name that cannot be guessed, a new one each time
 */
export function createMessageEndpoints(newName: () => string): MessageEndpoints {
  const endpoints = new Map<string, { readonly owner: Identity; readonly take: (body: Uint8Array) => PostResult }>()
  return {
    open(owner, take) {
      const name = newName()
      endpoints.set(name, { owner, take })
      return { name, close: () => void endpoints.delete(name) }
    },
    post(address, { principal, tenant }, body) {
      const endpoint = endpoints.get(address)
      if (endpoint === undefined) return 'unknown'
      const { owner, take } = endpoint
      return owner.principal.key === principal.key && owner.tenant.name === tenant.name ? take(body) : 'unknown'
    },
  }
}
