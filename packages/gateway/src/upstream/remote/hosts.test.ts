import { describe, expect, it } from 'vitest'
import { Hosts } from './hosts.ts'
import { printNodeAbout } from './node-about.ts'

function announced(node: string, backends: readonly string[], role: 'worker' | 'gateway' = 'worker') {
  const held = Object.fromEntries(backends.map((name) => [name, { state: 'up', tools: 1 }]))
  const about = printNodeAbout({ role, name: node, version: '1', startedAt: '', backends: held })
  return { kind: 'changed', node, about } as const
}

const nothing = { came: [], fewer: [], gone: [] }

describe('Hosts', () => {
  it('reports the first host of a backend that appears and the last that disappears', () => {
    const hosts = new Hosts()
    expect(hosts.apply({ kind: 'joined', node: 'w1', about: {} })).toEqual(nothing)
    expect(hosts.apply(announced('w1', ['a', 'b']))).toEqual({ ...nothing, came: ['a', 'b'] })
    expect(hosts.apply(announced('w2', ['b', 'c']))).toEqual({ ...nothing, came: ['c'] })
    expect(hosts.apply({ kind: 'left', node: 'w1' })).toEqual({ ...nothing, fewer: ['b'], gone: ['a'] })
    expect(hosts.apply(announced('w2', ['c']))).toEqual({ ...nothing, gone: ['b'] })
  })

  it('reports nothing when a host announces the same backends again, with any state', () => {
    const hosts = new Hosts()
    hosts.apply(announced('w1', ['a']))
    expect(hosts.apply(announced('w1', ['a']))).toEqual(nothing)
  })

  it('ignores gateways, which open links only for themselves', () => {
    const hosts = new Hosts()
    expect(hosts.apply(announced('g1', ['a'], 'gateway'))).toEqual(nothing)
    expect(hosts.apply(announced('w1', ['a']))).toEqual({ ...nothing, came: ['a'] })
  })
})
