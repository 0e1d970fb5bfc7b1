import { catalogue } from '@junctor/protocol'

/** The reason of an error, if it is one of the gateway's own. What backends write there may be anything. */
export function knownReason(reason: string | undefined): string | undefined {
  return reason !== undefined && Object.hasOwn(catalogue, reason) ? reason : undefined
}
