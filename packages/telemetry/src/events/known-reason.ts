import { catalogue } from '@junctor/protocol'

/** Returns the reason of an error if it is one of the gateway's own. Backends may send any text there. */
export function knownReason(reason: string | undefined): string | undefined {
  return reason !== undefined && Object.hasOwn(catalogue, reason) ? reason : undefined
}
