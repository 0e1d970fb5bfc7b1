import type { TelemetryEvent } from '@junctor/contracts'
import { expect, test, vi } from 'vitest'
import { emitToAll } from './emit-to-all.ts'

const started: TelemetryEvent = { kind: 'node_started', node: 'n1' }
const stopped: TelemetryEvent = { kind: 'node_stopped', node: 'n1' }

test('every listener receives every event, in order', () => {
  const received: string[] = []
  const emit = emitToAll(
    [({ kind }) => received.push(`first ${kind}`), ({ kind }) => received.push(`second ${kind}`)],
    {
      error: vi.fn<() => void>(),
    },
  )
  emit(started)
  emit(stopped)
  expect(received).toEqual(['first node_started', 'second node_started', 'first node_stopped', 'second node_stopped'])
})

test('a listener that throws does not affect the others, and is logged once', () => {
  const error = vi.fn<(message: string, fields?: Readonly<Record<string, unknown>>) => void>()
  const received: TelemetryEvent[] = []
  const failure = new Error('no room')
  const failing = (): void => {
    throw failure
  }
  const other = (): void => {
    throw new Error('another listener')
  }
  const emit = emitToAll([failing, other, (event) => received.push(event)], { error })
  emit(started)
  emit(stopped)
  expect(received).toEqual([started, stopped])
  expect(error).toHaveBeenCalledTimes(2)
  expect(error.mock.calls[0]?.[1]).toEqual({ event: 'node_started', error: failure })
})
