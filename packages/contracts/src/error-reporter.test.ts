import { JunctorError } from '@junctor/protocol'
import { expect, it } from 'vitest'
import { type ErrorReporter, createErrorReporter } from './error-reporter.ts'
import type { TelemetryEvent } from './telemetry-event.ts'
import type { Log } from './log.ts'

interface Scene {
  readonly lines: readonly unknown[]
  readonly events: readonly TelemetryEvent[]
  readonly reportError: ErrorReporter
}

function setUp(): Scene {
  const lines: unknown[] = []
  const events: TelemetryEvent[] = []
  const write = (level: string): Log['error'] => {
    return (message, fields) => void lines.push([level, message, fields])
  }
  const log: Log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
  return { lines, events, reportError: createErrorReporter(log, (event) => void events.push(event)) }
}

it('logs an error with its place and its context, and counts it', () => {
  const { lines, events, reportError } = setUp()
  const error = new Error('broken')
  reportError('message', error, { exchange: 'x-1' })
  expect(lines).toEqual([['error', expect.any(String), { where: 'message', exchange: 'x-1', error }]])
  expect(events).toEqual([{ kind: 'internal_error', where: 'message' }])
})

it('does not count an unavailable NATS as an internal error, and does not log it for each request', () => {
  const { lines, events, reportError } = setUp()
  reportError('request', new JunctorError('FABRIC_UNAVAILABLE', 'the connection to NATS is lost'), { exchange: 'x-1' })
  expect(lines).toEqual([['warn', expect.any(String), expect.objectContaining({ exchange: 'x-1' })]])
  reportError('request', new JunctorError('FABRIC_UNAVAILABLE', 'the connection to NATS is lost'), { exchange: 'x-2' })
  reportError('timer', new JunctorError('FABRIC_UNAVAILABLE', 'the connection to NATS is lost'))
  expect(lines.slice(1)).toEqual([['warn', expect.any(String), expect.objectContaining({ where: 'timer', errors: 1 })]])
  expect(events).toEqual([])
})
