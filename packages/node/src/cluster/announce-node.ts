import type { Caught, Closer, Fabric } from '@junctor/contracts'
import type { NodeAbout } from '@junctor/gateway'
import { printNodeAbout } from '@junctor/gateway'

/** How often a node looks whether it has something new to say, in milliseconds. */
const lookMs = 1_000

/** What a node says of itself, kept up to date. */
export interface Announcing extends Closer {
  /** Says at once what there is to say, without waiting for the next look. */
  now(): void
}

/**
 * Announces a node now and whenever what there is to say has changed, at most once a second, until it is closed. A
 * fabric tells the others nothing when it is what they know already.
 *
 * @param about what there is to say now
 * @param caught told of what throws when it is said
 */
export function announceNode(fabric: Pick<Fabric, 'announce'>, about: () => NodeAbout, caught: Caught): Announcing {
  const announce = (): void => {
    try {
      fabric.announce(printNodeAbout(about()))
    } catch (error) {
      caught('timer', error)
    }
  }
  announce()
  const timer = setInterval(announce, lookMs).unref()
  return {
    now: announce,
    async close() {
      clearInterval(timer)
    },
  }
}
