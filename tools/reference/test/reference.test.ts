import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const out = mkdtempSync(join(tmpdir(), 'junctor-reference-'))
afterAll(() => rmSync(out, { recursive: true, force: true }))

test('every export of every package has a docstring, and a page', async () => {
  const main = resolve(import.meta.dirname, '../src/main.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [main, '--out', out])
  expect(stdout).toMatch(/^\d+ entry points: .*index\.html\n$/)
  expect(readdirSync(join(out, 'modules'))).toContain('_junctor_plugin-sdk_link.html')
  const page = join(out, 'functions/_junctor_plugin-sdk.createTool.html')
  expect(existsSync(page)).toBe(true)
  expect(readFileSync(page, 'utf8')).toContain('Makes a tool. Schemas are compiled here')
})
