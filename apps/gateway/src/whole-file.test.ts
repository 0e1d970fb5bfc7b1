import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { replaceFile } from './add/replace-file.ts'
import { writeNew, writeOver } from './whole-file.ts'
import { writeNewFiles } from './whole-folder.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'junctor-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

/** Opening succeeds, and writing does not: as on a full disk. */
const unwritable = 1 as unknown as string

test('a file that cannot be written to its end is not there', () => {
  const at = folder()
  expect(() => writeNew(join(at, 'new.yaml'), unwritable)).toThrow('argument')
  expect(replaceFile(join(at, 'added.yaml'), undefined, unwritable)).toMatchObject({
    next: 'Name another file with --config.',
  })
  expect(readdirSync(at)).toEqual([])
})

test('a file that cannot be replaced stays as it was', () => {
  const at = folder()
  const file = join(at, 'junctor.yaml')
  writeFileSync(file, 'before')
  expect(() => writeOver(file, unwritable, 0o600)).toThrow('argument')
  expect(replaceFile(file, 'before', unwritable)).toBeDefined()
  mkdirSync(join(at, 'folder'))
  expect(() => writeOver(join(at, 'folder'), 'a text', 0o600)).toThrow('EISDIR')
  expect([readdirSync(at), readFileSync(file, 'utf8')]).toEqual([['folder', 'junctor.yaml'], 'before'])
  writeOver(file, 'after', 0o600)
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['after', 0o600])
})

test('of several files, none stays when one cannot be written, and neither does a folder that was made for them', () => {
  const at = folder()
  writeFileSync(join(at, 'other'), '')
  expect(() => writeNewFiles(at, { 'a.txt': 'a', 'src/deep/b.txt': 'b', 'c.txt': unwritable })).toThrow('argument')
  expect(readdirSync(at)).toEqual(['other'])
  expect(() => writeNewFiles(join(at, 'new', 'plugin'), { 'a.txt': 'a', 'b.txt': unwritable })).toThrow('argument')
  expect(readdirSync(at)).toEqual(['other'])
  expect(() => writeNewFiles(at, { 'a.txt': 'a', other: 'mine' })).toThrow('EEXIST')
  expect(readdirSync(at)).toEqual(['other'])
})
