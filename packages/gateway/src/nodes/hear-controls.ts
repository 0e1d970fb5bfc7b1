import type { Caught, Closer, Control, Fabric } from '@junctor/contracts'

/** Gives each control of other nodes to each of these. What one of them throws does not keep it from the others. */
export function hearControls(
  fabric: Pick<Fabric, 'onControl'>,
  hearers: readonly ((control: Control) => void)[],
  caught: Caught,
): Closer {
  return fabric.onControl((control, from) => {
    for (const hear of hearers) {
      try {
        hear(control)
      } catch (error) {
        caught('control', error, { from, kind: control.kind })
      }
    }
  })
}
