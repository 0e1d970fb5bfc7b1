import type { Identity, Postbox, PostResult } from '@junctor/contracts'

/**
 * A postbox for the clients of this process.
 *
 * @param newName returns a name that cannot be guessed, a new one each time
 */
export function createPostbox(newName: () => string): Postbox {
  const places = new Map<string, { readonly owner: Identity; readonly take: (body: Uint8Array) => PostResult }>()
  return {
    open(owner, take) {
      const name = newName()
      places.set(name, { owner, take })
      return { name, close: () => void places.delete(name) }
    },
    post(address, { principal, tenant }, body) {
      const place = places.get(address)
      if (place === undefined) return 'unknown'
      const { owner, take } = place
      return owner.principal.key === principal.key && owner.tenant.name === tenant.name ? take(body) : 'unknown'
    },
  }
}
