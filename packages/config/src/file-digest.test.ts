import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { failReading } from '../test/fail-reading.ts'
import { fileDigest } from './file-digest.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-watch-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('is equal only for equal content', () => {
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  writeFileSync(one, 'a')
  writeFileSync(two, 'a')
  expect(fileDigest(one)).toBe(fileDigest(two))
  writeFileSync(two, 'b')
  expect(fileDigest(one)).not.toBe(fileDigest(two))
})

test('of an unreadable file is the reason', () => {
  expect(fileDigest(join(folder, 'nope'))).toBe('ENOENT')
  expect(fileDigest(folder)).toBe('no regular file')
})

test('of a file is unknown while too many are open', () => {
  const file = join(folder, 'file')
  writeFileSync(file, 'a')
  failReading(file, 'EMFILE')
  expect(fileDigest(file)).toBeUndefined()
})

test.skipIf(process.platform === 'win32')('does not wait for a pipe without a writer', () => {
  const pipe = join(folder, 'pipe')
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe])
  expect(fileDigest(pipe)).toBe('no regular file')
})
