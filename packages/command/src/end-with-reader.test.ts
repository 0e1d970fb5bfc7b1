import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { endWithReader } from './end-with-reader.ts'

function started() {
  const written: string[] = []
  const exits: number[] = []
  // Nothing runs after the end of a process.
  const exit = (code: number): never => {
    exits.push(code)
    throw new Error('ended')
  }
  const stdout = new EventEmitter()
  const stderr = Object.assign(new EventEmitter(), { write: (text: string) => written.push(text) })
  endWithReader({ stdout, stderr, exit } as never, 'junctor')
  return { stdout, stderr, written, exits }
}

const failure = (code: string): Error => Object.assign(new Error(`${code}: write`), { code })

test('a process whose reader has left ends without a word; any other error of its output is shown', () => {
  const { stdout, stderr, written, exits } = started()
  expect(() => stdout.emit('error', failure('EPIPE'))).toThrow('ended')
  expect([exits, written]).toEqual([[0], []])
  expect(() => stdout.emit('error', failure('ENOSPC'))).toThrow('ended')
  expect([exits, written]).toEqual([[0, 1], ['junctor: The output cannot be written: ENOSPC: write\n']])
  // Nobody reads the messages: the command goes on.
  stderr.emit('error', failure('EPIPE'))
  expect(exits).toHaveLength(2)
})

test('a process that serves a client on its output is left to itself', () => {
  const { stdout, exits } = started()
  stdout.on('error', () => {})
  stdout.emit('error', failure('EPIPE'))
  expect(exits).toEqual([])
})
