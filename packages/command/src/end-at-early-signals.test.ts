import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { endAtEarlySignals } from './end-at-early-signals.ts'

function createProcess(pid: number) {
  const codes: number[] = []
  const target = Object.assign(new EventEmitter(), { pid, exit: (code: number) => void codes.push(code) })
  endAtEarlySignals(target as never)
  return { target, codes }
}

test('the first process of a container ends at a signal until the command handles it', () => {
  const { target, codes } = createProcess(1)
  target.emit('SIGTERM')
  target.emit('SIGINT')
  expect(codes).toEqual([143, 130])
  target.on('SIGTERM', () => {})
  target.emit('SIGTERM')
  expect(codes).toHaveLength(2)
})

test('signals of another process keep their effect', () => {
  expect(createProcess(2).target.eventNames()).toEqual([])
})
