import type { Caught, Closer, Control, Fabric } from '@junctor/contracts'
import { eachGuarded } from '../shared/each-guarded.ts'

/**
 * Calls each listener with each control message of other nodes. An error of one listener does not affect the others.
 */
export function hearControls(
  fabric: Pick<Fabric, 'onControl'>,
  listeners: readonly ((control: Control) => void)[],
  caught: Caught,
): Closer {
  return fabric.onControl((control, from) => {
    const failed = (error: unknown): void => caught('control', error, { from, kind: control.kind })
    eachGuarded(listeners, (listener) => listener(control), failed)
  })
}
