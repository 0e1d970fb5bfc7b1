import type { Fact } from '@junctor/contracts'
import { expect, test, vi } from 'vitest'
import { tellAll } from './tell-all.ts'

const started: Fact = { kind: 'node_started', node: 'n1' }
const stopped: Fact = { kind: 'node_stopped', node: 'n1' }

test('every listener receives every fact, in order', () => {
  const received: string[] = []
  const tell = tellAll([({ kind }) => received.push(`first ${kind}`), ({ kind }) => received.push(`second ${kind}`)], {
    error: vi.fn<() => void>(),
  })
  tell(started)
  tell(stopped)
  expect(received).toEqual(['first node_started', 'second node_started', 'first node_stopped', 'second node_stopped'])
})

test('a listener that throws does not affect the others, and is logged once', () => {
  const error = vi.fn<(message: string, fields?: Readonly<Record<string, unknown>>) => void>()
  const received: Fact[] = []
  const failure = new Error('no room')
  const failing = (): void => {
    throw failure
  }
  const other = (): void => {
    throw new Error('another listener')
  }
  const tell = tellAll([failing, other, (fact) => received.push(fact)], { error })
  tell(started)
  tell(stopped)
  expect(received).toEqual([started, stopped])
  expect(error).toHaveBeenCalledTimes(2)
  expect(error.mock.calls[0]?.[1]).toEqual({ fact: 'node_started', error: failure })
})
