import type { ChannelLimits } from '@junctor/connection'
import { defaultChannelLimits } from '@junctor/connection'

/**
 * What bounds channels on the front side. A message that is larger than `body`, in one part or in many, is refused, and
 * its channel goes on; what is kept of a slow peer's own counts as `buffered` too.
 */
export interface FrontLimits extends ChannelLimits {
  /** How long closing waits for answers that are under way, in milliseconds. */
  readonly graceMs: number
  /** Channels of clients at once. Who asks for more is told to come back. */
  readonly connections: number
}

export const defaultFrontLimits: FrontLimits = { ...defaultChannelLimits, graceMs: 10_000, connections: 10_000 }
