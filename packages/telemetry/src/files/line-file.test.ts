import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '@junctor/contracts'
import { createLineFile, type LineFile } from './line-file.ts'

const cannotRotate = 'a full file cannot be renamed, and grows on'

let folder: string
let path: string
const log = { warn: vi.fn<typeof silentLog.warn>(), info: vi.fn<typeof silentLog.info>() }

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-lines-'))
  path = join(folder, 'events.jsonl')
  log.warn.mockReset()
  log.info.mockReset()
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function writeLines(file: LineFile, first: number, last: number): void {
  for (let line = first; line <= last; line += 1) file.write(`line ${line}`)
}

function linesOf(text: string): string[] {
  expect(text === '' || text.endsWith('\n')).toBe(true)
  return text.split('\n').slice(0, -1)
}

function numbered(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => `line ${first + index}`)
}

test('lines are written in the background, and the rest at close', async () => {
  const file = createLineFile(path, { log })
  writeLines(file, 1, 2)
  await expect.poll(() => linesOf(readFileSync(path, 'utf8'))).toEqual(numbered(1, 2))
  writeLines(file, 3, 1000)
  await file.close()
  await file.close()
  file.write('too late')
  expect(linesOf(readFileSync(path, 'utf8'))).toEqual(numbered(1, 1000))
  expect(file.lost).toBe(0)
  expect(log.warn).not.toHaveBeenCalled()
})

test('only its owner can read it', async () => {
  const file = createLineFile(path, { log })
  file.write('secret')
  await file.close()
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('lines are appended to existing ones, also after an incomplete line', async () => {
  writeFileSync(path, 'whole\nto')
  const file = createLineFile(path, { log })
  file.write('next')
  await file.close()
  expect(linesOf(readFileSync(path, 'utf8'))).toEqual(['whole', 'to', 'next'])
})

test('a file that was rotated away is reopened', async () => {
  const file = createLineFile(path, { log })
  writeLines(file, 1, 5)
  await expect.poll(() => readFileSync(path, 'utf8')).toContain('line 5')
  renameSync(path, `${path}.1`)
  writeLines(file, 6, 9)
  await expect.poll(() => readFileSync(path, 'utf8')).toContain('line 9')
  await file.close()
  expect(linesOf(readFileSync(`${path}.1`, 'utf8'))).toEqual(numbered(1, 5))
  expect(linesOf(readFileSync(path, 'utf8'))).toEqual(numbered(6, 9))
})

test('lines that cannot be written wait, and the failure is logged once', async () => {
  const missing = join(folder, 'not yet', 'events.jsonl')
  const file = createLineFile(missing, { log })
  file.write('line 1')
  await expect.poll(() => log.warn).toHaveBeenCalledOnce()
  file.write('line 2')
  mkdirSync(join(folder, 'not yet'))
  await expect.poll(() => readFileSync(missing, 'utf8')).toContain('line 2')
  expect(log.warn).toHaveBeenCalledOnce()
  // The line is in the file a moment before the log has it.
  await expect.poll(() => log.info).toHaveBeenCalledWith('a file can be written again', { file: missing, lost: 0 })
  await file.close()
  expect(linesOf(readFileSync(missing, 'utf8'))).toEqual(numbered(1, 2))
})

test('lines that were never written are counted at close', async () => {
  const file = createLineFile(join(folder, 'missing', 'events.jsonl'), { log })
  writeLines(file, 1, 3)
  await file.close()
  expect(file.lost).toBe(3)
  expect(log.warn).toHaveBeenLastCalledWith('lines of a file were lost', expect.objectContaining({ lost: 3 }))
})

test('a full disk blocks no caller, and lost lines are counted', async () => {
  const file = createLineFile('/dev/full', { log })
  writeLines(file, 1, 10)
  await expect.poll(() => log.warn).toHaveBeenCalledOnce()
  // The last two codes occur where there is no such device.
  const code: unknown = expect.stringMatching(/^(ENOSPC|EACCES|EPERM)$/)
  expect(log.warn.mock.calls[0]?.[1]).toMatchObject({ file: '/dev/full', error: { code } })
  const line = 'x'.repeat(1000)
  const began = performance.now()
  for (let count = 0; count < 10_000; count += 1) file.write(line)
  // One that waits for the disk would wait without end.
  expect(performance.now() - began).toBeLessThan(20_000)
  // Only 4 MiB of the lines wait.
  expect(file.lost).toBeGreaterThan(5000)
  expect(log.warn).toHaveBeenCalledOnce()
  await file.close()
  expect(file.lost).toBe(10_010)
  expect(log.warn).toHaveBeenLastCalledWith('lines of a file were lost', { file: '/dev/full', lost: 10_010 })
})

test('lines that arrive faster than the disk writes use bounded memory and block no caller', async () => {
  // A pipe whose reader does not read behaves like a network file system that is gone.
  execFileSync('mkfifo', [path])
  const file = createLineFile(path, { log })
  const line = 'x'.repeat(1000)
  file.write('first')
  const began = performance.now()
  for (let count = 0; count < 10_000; count += 1) file.write(line)
  // One that waits for the disk would wait without end.
  expect(performance.now() - began).toBeLessThan(20_000)
  expect(file.lost).toBeGreaterThan(5000)
  const text = readFile(path, 'utf8')
  await file.close()
  expect(linesOf(await text)).toHaveLength(10_001 - file.lost)
})

test('closing does not wait for a disk that blocks', async () => {
  execFileSync('mkfifo', [path])
  const file = createLineFile(path, { log })
  const long = 'x'.repeat(1_000_000)
  file.write(long)
  const began = performance.now()
  await file.close()
  const took = performance.now() - began
  // The rest is read, so that nothing remains.
  const text = await readFile(path, 'utf8')
  expect(took).toBeLessThan(4000)
  expect(text).toBe(`${long}\n`)
})

test('a file that cannot be written is reported before the first line, and its recovery too', async () => {
  const missing = join(folder, 'not yet', 'events.jsonl')
  const file = createLineFile(missing, { log })
  await expect.poll(() => file.problem).toContain('ENOENT')
  mkdirSync(join(folder, 'not yet'))
  await expect.poll(() => file.problem).toBeUndefined()
  await file.close()
  expect(log.warn).toHaveBeenCalledOnce()
})

test('a full file that cannot be rotated is written on, and rotated when that is possible again', async () => {
  // A file cannot be renamed to a folder. A file that is mounted on its own, or append-only, cannot be renamed at all.
  for (let number = 1; number <= 5; number += 1) mkdirSync(join(`${path}.${number}`, 'in the way'), { recursive: true })
  const file = createLineFile(path, { log, mostBytes: 100 })
  for (let line = 1; line <= 30; line += 1) {
    file.write(`line ${line}`)
    await expect.poll(() => readFileSync(path, 'utf8')).toContain(`line ${line}\n`)
    expect(file.problem).toBeUndefined()
  }
  // Once for each 100 bytes that it has grown by.
  expect(log.warn.mock.calls.map(([message]) => message)).toEqual(Array.from({ length: 2 }, () => cannotRotate))
  for (let number = 1; number <= 5; number += 1) rmSync(`${path}.${number}`, { recursive: true, force: true })
  writeLines(file, 31, 50)
  await expect.poll(() => existsSync(`${path}.1`)).toBe(true)
  await file.close()
  expect(linesOf(readFileSync(`${path}.1`, 'utf8'))).toEqual(numbered(1, 50))
  expect(file.lost).toBe(0)
})

test('a full file is rotated, and the last five are kept', async () => {
  const file = createLineFile(path, { log, mostBytes: 20 })
  for (let batch = 1; batch <= 8; batch += 1) {
    writeLines(file, 10 * batch, 10 * batch + 3)
    await expect.poll(() => readFileSync(`${path}.1`, 'utf8')).toContain(`line ${10 * batch + 3}`)
  }
  await file.close()
  expect(readdirSync(folder).toSorted()).toEqual([1, 2, 3, 4, 5].map((number) => `events.jsonl.${number}`))
  expect(linesOf(readFileSync(`${path}.5`, 'utf8'))).toEqual(numbered(40, 43))
  expect(file.lost).toBe(0)
  expect(log.warn).not.toHaveBeenCalled()
})
