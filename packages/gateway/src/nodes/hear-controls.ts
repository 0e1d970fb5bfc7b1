import type { Caught, Closer, Control, Fabric } from '@junctor/contracts'

/**
 * Calls each listener with each control message of other nodes. An error of one listener does not affect the others.
 */
export function hearControls(
  fabric: Pick<Fabric, 'onControl'>,
  listeners: readonly ((control: Control) => void)[],
  caught: Caught,
): Closer {
  return fabric.onControl((control, from) => {
    for (const listener of listeners) {
      try {
        listener(control)
      } catch (error) {
        caught('control', error, { from, kind: control.kind })
      }
    }
  })
}
