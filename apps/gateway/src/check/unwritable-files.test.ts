import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { unwritableFiles } from './unwritable-files.ts'

test('files that cannot be written are reported with the reason, and no file is created', () => {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-unwritable-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const there = join(folder, 'there')
  writeFileSync(there, '')
  const found = (audit?: string, events?: string): readonly string[] =>
    unwritableFiles({ audit: { file: audit }, events: { keep: 1, file: events } }).map(
      ({ path, got }) => `${path} ${got}`,
    )
  expect(found()).toEqual([])
  expect(found(there, join(folder, 'new'))).toEqual([])
  const below = join(there, 'x')
  const missing = join(folder, 'not yet', 'x')
  expect(found(missing, below)).toEqual([
    `audit.file ${missing}: there is no such folder`,
    `events.file ${below}: below what is no folder`,
  ])
  expect(found(folder)).toEqual([`audit.file ${folder}: a folder`])
})
