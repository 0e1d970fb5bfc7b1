import { describe, expect, it } from 'vitest'
import type { SessionControl } from './control.ts'
import { readControl, toControl } from './control.ts'

const controls: readonly SessionControl[] = [
  { kind: 'cancel', session: 's_1', id: '0' },
  { kind: 'end', session: 's_1' },
  { kind: 'session-ended', session: 's_1' },
  { kind: 'session-left', session: 's_1' },
]

describe('readControl', () => {
  it.each(controls.map((control) => [control.kind, control] as const))('reads back %s', (_, control) => {
    expect(readControl(JSON.parse(JSON.stringify(toControl(control))))).toEqual(control)
  })

  it.each([
    ['a kind of a newer version', { kind: 'move', body: { session: 's_1' } }],
    ['no session', { kind: 'end', body: {} }],
    ['a session that is no text', { kind: 'end', body: { session: 1 } }],
    ['a body that is no object', { kind: 'end', body: 's_1' }],
    ['a cancel without id', { kind: 'cancel', body: { session: 's_1' } }],
  ])('does not read %s', (_, control) => {
    expect(readControl(control)).toBeUndefined()
  })
})
