import { JunctorError } from '@junctor/protocol'
import { expect, test } from 'vitest'
import { diagnose } from './diagnose.ts'

test.each([
  ['the check', undefined],
  ['the gateway', new JunctorError('BACKEND_UNREACHABLE', 'no answer in 60000 ms')],
])('a program that is silent until the timeout of %s shows its last words', (_whose, error) => {
  const program = { folder: true, file: true }
  const attempt = { word: 'command', options: {}, error, reached: false, noise: undefined, waitedMs: 60_012, program }
  expect(diagnose({ ...attempt, lastWords: 'npm error self-signed certificate' })).toMatchObject({
    kind: 'silent',
    got: 'no answer in 60 s; its last words: npm error self-signed certificate',
    expected: 'an answer to initialize',
  })
})

test('a program that ends after the handshake shows its last words', () => {
  const program = { folder: true, file: true }
  const error = new JunctorError('BACKEND_EXITED', 'Backend "sql" exited with code 1')
  const attempt = { word: 'command', options: {}, error, reached: true, noise: undefined, waitedMs: 900, program }
  expect(diagnose({ ...attempt, lastWords: 'connect ECONNREFUSED' })).toMatchObject({
    kind: 'exited',
    got: 'a program that exited with code 1, and said: connect ECONNREFUSED',
  })
})

test('a plugin that fails to create its backend is told in one sentence', () => {
  const error = new JunctorError('BACKEND_UNREACHABLE', 'Backend "p" could not be created: no licence')
  const attempt = {
    word: 'plugin',
    options: {},
    error,
    reached: false,
    noise: undefined,
    waitedMs: 20,
    program: { folder: true, file: true },
  }
  expect(diagnose({ ...attempt, lastWords: undefined })).toMatchObject({
    got: 'a backend that could not be created: no licence',
    next: 'Correct its options, or its plugin.',
  })
})

test.each(['command', 'url', 'plugin'])(
  'a backend of the word %s for which no file descriptor is free needs none of its options changed',
  (word) => {
    const cause = Object.assign(new Error('connect EMFILE 127.0.0.1:9'), { code: 'EMFILE' })
    const attempt = {
      word,
      options: { command: 'node', url: 'http://127.0.0.1:9/mcp' },
      error: new JunctorError('BACKEND_UNREACHABLE', 'initialize failed', { cause }),
      reached: false,
      noise: undefined,
      lastWords: undefined,
      waitedMs: 20,
      program: { folder: true, file: true },
    }
    expect(diagnose(attempt)).toMatchObject({ got: 'no free file descriptor in this process' })
  },
)
