import { describe, expect, it } from 'vitest'
import { readSessionControl, type SessionControl, toSessionControl } from './session-control.ts'

const controls: readonly SessionControl[] = [
  { kind: 'cancel', session: 's_1', id: '0' },
  { kind: 'end', session: 's_1' },
  { kind: 'session-ended', session: 's_1' },
  { kind: 'session-left', session: 's_1' },
]

describe('readSessionControl', () => {
  it.each(controls.map((control) => [control.kind, control] as const))('reads back %s', (_, control) => {
    expect(readSessionControl(JSON.parse(JSON.stringify(toSessionControl(control))))).toEqual({
      kind: 'read',
      value: control,
    })
  })

  it.each([
    ['no session', { kind: 'end', body: {} }],
    ['a session that is not a text', { kind: 'end', body: { session: 1 } }],
    ['a body that is not an object', { kind: 'end', body: 's_1' }],
    ['no body', { kind: 'end', body: null }],
    ['a cancel without id', { kind: 'cancel', body: { session: 's_1' } }],
    ['extensions that are not a list', { kind: 'extensions', body: { session: 's_1', extensions: 7 } }],
  ])('does not read %s', (_, control) => {
    expect(readSessionControl(control)).toMatchObject({ kind: 'unreadable' })
  })

  it('leaves a kind of a newer version, or of another listener, to others', () => {
    expect(readSessionControl({ kind: 'move', body: { session: 's_1' } })).toEqual({ kind: 'other' })
  })

  it('ignores a member of a newer version', () => {
    const value = { kind: 'end', session: 's_1' }
    expect(readSessionControl({ kind: 'end', body: { session: 's_1', why: 'idle' } })).toEqual({ kind: 'read', value })
  })
})
