import type { ErrorReporter, Closer, Fabric } from '@junctor/contracts'
import { type NodeAbout, printNodeAbout } from '@junctor/gateway'

/** How often a node checks whether its announcement has changed, in milliseconds. */
const lookMs = 1_000

/** The announcement of a node, kept up to date. */
export interface Announcing extends Closer {
  /** Announces changes immediately, without waiting for the next check. */
  now(): void
}

/**
 * Announces a node now, and again after each change, at most once a second, until it is closed. The fabric does not
 * send an unchanged announcement.
 *
 * @param about returns the current announcement
 * @param reportError called with an error of `about` or of the announcement
 */
export function announceNode(
  fabric: Pick<Fabric, 'announce'>,
  about: () => NodeAbout,
  reportError: ErrorReporter,
): Announcing {
  const announce = (): void => {
    try {
      fabric.announce(printNodeAbout(about()))
    } catch (error) {
      reportError('timer', error)
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
