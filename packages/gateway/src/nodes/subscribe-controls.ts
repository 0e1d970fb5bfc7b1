import type { ErrorReporter, Closer, Control, Fabric, UnreadableData, UnreadableReporter } from '@junctor/contracts'
import { printable } from '@junctor/primitives'
import { eachGuarded } from '../shared/each-guarded.ts'
import { presenceQuestion } from './presence-question.ts'

/**
 * Handles the control messages that concern it. Returns whether a message was one of those, and could be read. `other`:
 * it was not.
 */
export type ControlListener = (control: Control) => UnreadableData | { readonly kind: 'read' | 'other' }

/**
 * Calls each listener with each control message of other nodes. An error of one listener does not affect the others.
 * Messages that cannot be read, or that no listener knows, are reported and otherwise ignored.
 */
export function subscribeControls(
  fabric: Pick<Fabric, 'onControl'>,
  listeners: readonly ControlListener[],
  reportError: ErrorReporter,
  unreadable: UnreadableReporter,
): Closer {
  return fabric.onControl((control, from) => {
    const { kind } = control
    let isKnown = kind === presenceQuestion.kind
    const listen = (listener: ControlListener): void => {
      const handled = listener(control)
      if (handled.kind !== 'other') isKnown = true
      if (handled.kind === 'unreadable') unreadable('control', from, handled.problem)
    }
    const failed = (error: unknown): void => {
      isKnown = true
      reportError('control', error, { from, kind })
    }
    eachGuarded(listeners, listen, failed)
    if (!isKnown) unreadable('control', from, `expected a known kind, got ${printable(kind).slice(0, 60)}`)
  })
}
