import { describe, expect, it } from 'vitest'
import { type NodeAbout, printNodeAbout, readNodeAbout } from './node-about.ts'

const worker: NodeAbout = {
  role: 'worker',
  name: 'tools',
  version: '1.2.3',
  release: '0.4.0',
  startedAt: '2026-01-02T03:04:05.000Z',
  policy: '0123456789ab',
  backends: { demo: { state: 'up', tools: 3 }, files: { state: 'down', tools: 0 } },
}

describe('the announcement of a node', () => {
  it('is read as it was printed', () => {
    expect(readNodeAbout(printNodeAbout(worker))).toEqual({ kind: 'read', value: worker })
  })

  it('contains only what other nodes need', () => {
    const printed = printNodeAbout({ ...worker, token: 'secret' } as NodeAbout)
    expect(Object.keys(printed)).toEqual(['role', 'name', 'version', 'release', 'startedAt', 'policy', 'backends'])
  })

  it('is read when another version announces more or fewer members', () => {
    const more = { role: 'gateway', name: 'one', zone: 'a', backends: { demo: { state: 'napping', load: 2 }, x: {} } }
    const value = {
      role: 'gateway',
      name: 'one',
      version: '',
      startedAt: '',
      backends: { demo: { state: 'napping', tools: 0 }, x: { state: '', tools: 0 } },
    }
    expect(readNodeAbout(more)).toEqual({ kind: 'read', value })
  })

  it('is nothing before the node announces', () => {
    expect(readNodeAbout({})).toEqual({ kind: 'nothing' })
  })

  it.each([
    [{ role: 'console' }, 'role: Invalid option: expected one of "gateway"|"worker"'],
    [{ name: 'no role' }, 'role: Invalid option: expected one of "gateway"|"worker"'],
    [{ role: 'worker', backends: { demo: true } }, 'backends.demo: Invalid input: expected object, received boolean'],
    [{ role: 'worker', name: 7 }, 'name: Invalid input: expected string, received number'],
  ])('is not read when it contains what this version does not know: %j', (announced, problem) => {
    expect(readNodeAbout(announced)).toEqual({ kind: 'unreadable', problem })
  })
})
