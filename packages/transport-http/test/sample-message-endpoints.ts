import { randomBytes } from 'node:crypto'
import type { Identity, MessageEndpoints, PostResult } from '@junctor/contracts'

/** Creates message endpoints that know the owner of each address. */
export function createSampleMessageEndpoints(): MessageEndpoints {
  const open = new Map<string, { readonly owner: string; readonly take: (body: Uint8Array) => PostResult }>()
  return {
    open(identity, take) {
      const name = randomBytes(32).toString('base64url')
      open.set(name, { owner: ownerOf(identity), take })
      return { name, close: () => void open.delete(name) }
    },
    post(address, identity, body) {
      const found = open.get(address)
      return found?.owner === ownerOf(identity) ? found.take(body) : 'unknown'
    },
  }
}

function ownerOf({ principal, tenant }: Identity): string {
  return `${tenant.name} ${principal.key}`
}
