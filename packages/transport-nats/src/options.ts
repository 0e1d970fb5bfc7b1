import { type ChannelLimits, defaultChannelLimits } from '@junctor/connection'

/**
 * The limits of channels on the front side. A message that is larger than `body`, in one part or many, is refused, and
 * its channel stays open. Buffered messages of a slow peer count as `buffered` too.
 */
export interface FrontLimits extends ChannelLimits {
  /** How long closing waits for pending answers, in milliseconds. */
  readonly graceMs: number
  /** The largest number of open channels. Above it a client is refused with a Retry-After. */
  readonly connections: number
}

/** The limits of a NATS front that apply without a configured value. */
export const defaultFrontLimits: FrontLimits = { ...defaultChannelLimits, graceMs: 10_000, connections: 10_000 }
