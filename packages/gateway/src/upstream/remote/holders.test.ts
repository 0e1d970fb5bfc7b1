import { describe, expect, it } from 'vitest'
import { Holders } from './holders.ts'
import { printNodeAbout } from './node-about.ts'

function announced(node: string, backends: readonly string[], role: 'worker' | 'gateway' = 'worker') {
  const held = Object.fromEntries(backends.map((name) => [name, { state: 'up', tools: 1 }]))
  const about = printNodeAbout({ role, name: node, version: '1', startedAt: '', backends: held })
  return { kind: 'changed', node, about } as const
}

const nothing = { came: [], fewer: [], gone: [] }

describe('who holds a backend', () => {
  it('is told with the first that comes and the last that goes', () => {
    const holders = new Holders()
    expect(holders.apply({ kind: 'joined', node: 'w1', about: {} })).toEqual(nothing)
    expect(holders.apply(announced('w1', ['a', 'b']))).toEqual({ ...nothing, came: ['a', 'b'] })
    expect(holders.apply(announced('w2', ['b', 'c']))).toEqual({ ...nothing, came: ['c'] })
    expect(holders.apply({ kind: 'left', node: 'w1' })).toEqual({ ...nothing, fewer: ['b'], gone: ['a'] })
    expect(holders.apply(announced('w2', ['c']))).toEqual({ ...nothing, gone: ['b'] })
  })

  it('is not told again when a holder says the same, or something else of it', () => {
    const holders = new Holders()
    holders.apply(announced('w1', ['a']))
    expect(holders.apply(announced('w1', ['a']))).toEqual(nothing)
  })

  it('is nobody who holds it for itself alone', () => {
    const holders = new Holders()
    expect(holders.apply(announced('g1', ['a'], 'gateway'))).toEqual(nothing)
    expect(holders.apply(announced('w1', ['a']))).toEqual({ ...nothing, came: ['a'] })
  })
})
