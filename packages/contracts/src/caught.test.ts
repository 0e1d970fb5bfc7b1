import { JunctorError } from '@junctor/protocol'
import { expect, it } from 'vitest'
import { type Caught, createCaught } from './caught.ts'
import type { Fact } from './fact.ts'
import type { Log } from './log.ts'

interface Scene {
  readonly lines: readonly unknown[]
  readonly facts: readonly Fact[]
  readonly caught: Caught
}

function setUp(): Scene {
  const lines: unknown[] = []
  const facts: Fact[] = []
  const write = (level: string): Log['error'] => {
    return (message, fields) => void lines.push([level, message, fields])
  }
  const log: Log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
  return { lines, facts, caught: createCaught(log, (fact) => void facts.push(fact)) }
}

it('logs an error with its place and its context, and counts it', () => {
  const { lines, facts, caught } = setUp()
  const error = new Error('broken')
  caught('message', error, { exchange: 'x-1' })
  expect(lines).toEqual([['error', expect.any(String), { where: 'message', exchange: 'x-1', error }]])
  expect(facts).toEqual([{ kind: 'internal_error', where: 'message' }])
})

it('does not count an unavailable NATS as an internal error', () => {
  const { lines, facts, caught } = setUp()
  caught('request', new JunctorError('FABRIC_UNAVAILABLE', 'the connection to NATS is lost'), { exchange: 'x-1' })
  expect(lines).toEqual([['warn', expect.any(String), expect.objectContaining({ exchange: 'x-1' })]])
  expect(facts).toEqual([])
})
