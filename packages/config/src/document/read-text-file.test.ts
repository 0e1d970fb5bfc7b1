import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-pipe-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Reads a reference to a file in a process of its own, which can be ended if it never does. */
function resolved(file: string): unknown {
  const module = fileURLToPath(new URL('references.ts', import.meta.url))
  const program = `
    import { resolveReferences } from ${JSON.stringify(module)}
    const { value, findings } = resolveReferences('\${file:${file}}', { env: {}, folder: '/' })
    console.log(JSON.stringify([value, ...findings.map(({ expected }) => expected)]))
  `
  const options = { encoding: 'utf8', killSignal: 'SIGKILL', timeout: 20_000 } as const
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], options)
  return stdout === '' ? undefined : JSON.parse(stdout)
}

test('a file is read', () => {
  writeFileSync(join(folder, 'secret'), 'value\n')
  expect(resolved(join(folder, 'secret'))).toEqual(['value'])
})

test('a byte order mark is no part of a value', () => {
  writeFileSync(join(folder, 'secret'), '\uFEFFvalue\r\n')
  expect(resolved(join(folder, 'secret'))).toEqual(['value'])
})

test('a file that is not UTF-8 is a problem: its value would be another one', () => {
  writeFileSync(join(folder, 'secret'), Buffer.from('caf\u00E9', 'latin1'))
  expect(resolved(join(folder, 'secret'))).toEqual(['', 'a file that can be read (EILSEQ)'])
})

describe.skipIf(process.platform === 'win32')('a device', () => {
  test.each([
    ['/dev/null', ['']],
    ['/dev/zero', ['', 'a file that can be read (EFBIG)']],
  ])('%s is read to its end, if it has one', (file, expected) => {
    expect(resolved(file)).toEqual(expected)
  })
})

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  test('is read to its end, when its writer is there', () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    // It waits until the pipe is read.
    spawn('sh', ['-c', `{ echo value; seq 50000; } > '${pipe}'`], { stdio: 'ignore' })
    expect(resolved(pipe)).toEqual([expect.stringMatching(/^value\n1\n[^]*\n50000$/)])
  })

  test('that nobody writes to is a problem, and blocks nothing for long', () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    expect(resolved(pipe)).toEqual(['', 'a file that can be read (ETIMEDOUT)'])
  })
})
