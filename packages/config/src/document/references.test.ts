import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveReferences } from './references.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-config-'))
  writeFileSync(join(folder, 'token'), 's3cret\n')
  writeFileSync(join(folder, 'two-lines'), 'a\r\nb\r\n')
})
afterAll(() => rmSync(folder, { recursive: true }))

const env = { HOST: 'gw.example.com', EMPTY: '', SNEAKY: '${env:HOST}' }
const resolved = (value: unknown): ReturnType<typeof resolveReferences> => resolveReferences(value, { env, folder })

test.each([
  ['${env:HOST}', 'gw.example.com'],
  ['https://${env:HOST}/${env:EMPTY}x', 'https://gw.example.com/x'],
  ['Bearer ${file:token}', 'Bearer s3cret'],
  ['${file:two-lines}', 'a\r\nb'],
  ['$${env:HOST}', '${env:HOST}'],
  ['${env:SNEAKY}', '${env:HOST}'],
  ['${HOST} $HOST ${HOST:-x} {env:HOST}', '${HOST} $HOST ${HOST:-x} {env:HOST}'],
])('%s becomes %s', (written, value) => {
  expect(resolved({ a: [{ b: written }] })).toMatchObject({ value: { a: [{ b: value }] }, findings: [] })
})

test('only text can hold references; other values are unchanged', () => {
  const value = { a: 1, b: null, c: true, '${env:HOST}': 1 }
  expect(resolved(value)).toEqual({ value, findings: [], replaced: [], files: [] })
})

test('a key named "__proto__" stays a key', () => {
  const { value } = resolved(JSON.parse('{"__proto__": {"polluted": "${env:HOST}"}}'))
  expect(Object.keys(value as object)).toEqual(['__proto__'])
})

test('every unresolved reference is found, with the next step', () => {
  const { findings } = resolved({ a: '${env:NOPE} ${file:nope}', b: ['${input:token}'], c: '${file:.}' })
  expect(findings).toEqual([
    {
      kind: 'variable_not_set',
      path: ['a'],
      at: 'value',
      got: '${env:NOPE}',
      expected: 'the environment variable NOPE to be set',
      next: 'Set it before starting: export NOPE=…',
    },
    {
      kind: 'reference_unreadable',
      path: ['a'],
      at: 'value',
      got: '${file:nope}',
      expected: 'a file that can be read (ENOENT)',
      next: `Put the file at ${join(folder, 'nope')}, or correct the path.`,
    },
    {
      kind: 'unknown_reference',
      path: ['b', 0],
      at: 'value',
      got: '${input:token}',
      expected: '${env:NAME} or ${file:path}',
      next: 'Write ${env:TOKEN} in its place, and set that variable before starting.',
    },
    expect.objectContaining({ path: ['c'], expected: 'a file that can be read (EISDIR)' }),
  ])
})
