import type { ErrorReporter, Closer, Control, Fabric } from '@junctor/contracts'
import { eachGuarded } from '../shared/each-guarded.ts'

/**
 * Calls each listener with each control message of other nodes. An error of one listener does not affect the others.
 */
export function subscribeControls(
  fabric: Pick<Fabric, 'onControl'>,
  listeners: readonly ((control: Control) => void)[],
  caught: ErrorReporter,
): Closer {
  return fabric.onControl((control, from) => {
    const failed = (error: unknown): void => caught('control', error, { from, kind: control.kind })
    eachGuarded(listeners, (listener) => listener(control), failed)
  })
}
