import type { CallTarget } from '@junctor/contracts'
import type { Handler } from '@junctor/exchange'
import { keptOr } from '@junctor/primitives'
import { isOfNode } from './is-of-node.ts'

/** A node that serves a service. */
export interface Holder {
  readonly node: string
  readonly handler: Handler
}

/** The holders of each service. They take turns. */
export class Services {
  readonly #holders = new Map<string, Holder[]>()

  add(service: string, holder: Holder): void {
    keptOr(this.#holders, service, () => []).push(holder)
  }

  remove(service: string, holder: Holder): void {
    const holders = this.#holders.get(service)?.filter((other) => other !== holder) ?? []
    if (holders.length > 0) this.#holders.set(service, holders)
    else this.#holders.delete(service)
  }

  /** Removes all services of a node. */
  leave(node: string): void {
    for (const [service, holders] of this.#holders) {
      for (const holder of holders) if (holder.node === node) this.remove(service, holder)
    }
  }

  /** The next holder of a service; undefined when there is none. */
  pick(to: CallTarget): Holder | undefined {
    const holders = this.#holders.get(to.service) ?? []
    if (to.node === undefined && isOfNode(to.service)) return undefined
    const holder = holders.find(({ node }) => to.node === undefined || node === to.node)
    if (holder === undefined) return undefined
    holders.splice(holders.indexOf(holder), 1)
    holders.push(holder)
    return holder
  }
}
