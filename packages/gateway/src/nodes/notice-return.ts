import type { Fabric } from '@junctor/contracts'

export interface ReturnParts {
  /** The node is cut off from the others. */
  readonly cutOff: () => void
  /** It was, and others may have taken it for lost. */
  readonly wasAway: () => void
}

/** Notices, each time that what it gives is called, whether the node is cut off from the others, or was. */
export function createReturnNotice(fabric: Pick<Fabric, 'readings'>, { cutOff, wasAway }: ReturnParts): () => void {
  let { reconnects } = fabric.readings()
  return () => {
    const before = reconnects
    const now = fabric.readings()
    ;({ reconnects } = now)
    if (!now.connected) cutOff()
    if (reconnects !== before) wasAway()
  }
}
