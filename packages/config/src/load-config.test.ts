import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failReading } from '../test/fail-reading.ts'
import { findConfig } from './find-config.ts'
import { loadConfig } from './load-config.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-config-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const options = { plugins: [], env: {} }

test('a file is read, and its paths start from its folder', () => {
  const file = join(folder, 'junctor.yaml')
  writeFileSync(file, 'server: { name: mine }')
  expect(loadConfig(file, options)).toMatchObject({ kind: 'valid', config: { folder, server: { name: 'mine' } } })
})

test('problems name the file as the caller named it', () => {
  const file = join(folder, 'junctor.yaml')
  writeFileSync(file, '\nserver: 1')
  expect(loadConfig(file, options)).toMatchObject({ kind: 'invalid', problems: [{ file, line: 2, path: 'server' }] })
})

test.each([
  ['nowhere.yaml', 'no such file'],
  ['.', 'a folder'],
])('%s is a problem: %s', (name, got) => {
  const file = join(folder, name)
  expect(loadConfig(file, options)).toEqual({
    kind: 'invalid',
    problems: [
      {
        kind: 'unreadable_file',
        file,
        line: 1,
        column: 1,
        path: '',
        got,
        expected: 'a file that can be read',
        next: 'Check the name, and from which folder the command runs.',
      },
    ],
    files: [],
  })
})

test('for a file that this user may not read, the next step is about its permissions', () => {
  const file = join(folder, 'junctor.yaml')
  writeFileSync(file, 'backends: {}')
  failReading(file, 'EACCES')
  const next = expect.stringContaining('permissions') as unknown
  expect(loadConfig(file, options)).toMatchObject({ problems: [{ got: 'a file that this user may not read', next }] })
})

test('a file that cannot be read because too many are open is not said to be wrong', () => {
  const file = join(folder, 'junctor.yaml')
  writeFileSync(file, 'backends: {}')
  failReading(file, 'EMFILE')
  expect(loadConfig(file, options)).toMatchObject({
    problems: [
      { got: 'no free file descriptor in this process', next: expect.stringContaining('ulimit -n') as unknown },
    ],
  })
})

test.each(['', ' \n', '# Our gateway\n', '---\n'])(
  'a file with the content %j is a problem, because it is probably being written',
  (text) => {
    const file = join(folder, 'junctor.yaml')
    writeFileSync(file, text)
    expect(loadConfig(file, options)).toMatchObject({
      kind: 'invalid',
      problems: [{ got: 'a file with nothing in it' }],
    })
  },
)

test('a file of more than 4 MiB is not read', () => {
  const file = join(folder, 'junctor.yaml')
  writeFileSync(file, `# ${'x'.repeat(4 * 1024 * 1024)}\nbackends: {}`)
  const problem = { kind: 'unreadable_file', got: 'a file of more than 4 MiB' }
  expect(loadConfig(file, options)).toMatchObject({ kind: 'invalid', problems: [problem] })
})

test('a file that is not UTF-8 is a problem', () => {
  const file = join(folder, 'junctor.yaml')
  writeFileSync(file, Buffer.from('\uFEFFbackends: {}', 'utf16le'))
  const problem = { got: 'a file that is not UTF-8', next: 'Save the file as UTF-8.' }
  expect(loadConfig(file, options)).toMatchObject({ kind: 'invalid', problems: [problem] })
})

describe('the file of a folder', () => {
  test('is junctor.yaml before junctor.yml before junctor.json', () => {
    const names = ['junctor.json', 'junctor.yml', 'junctor.yaml']
    const found = names.map((name) => {
      writeFileSync(join(folder, name), '')
      return findConfig(folder)
    })
    expect(found).toEqual(names.map((name) => join(folder, name)))
  })

  test('is undefined when there is none', () => {
    mkdirSync(join(folder, 'junctor'))
    expect(findConfig(folder)).toBeUndefined()
  })
})
