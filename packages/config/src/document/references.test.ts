import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { escapeReferences, findReferences, resolveReferences } from './references.ts'

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
  ['$${env:HOST', '${env:HOST'],
  ['${other:HOST ${env:-x', '${other:HOST ${env:-x'],
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

test.each([
  ['${env:}', '${env:NAME}'],
  ['${env: api_key}', '${env:api_key}'],
  ['${env:my-key}', '${env:NAME}'],
])('%s has no name that a shell can set', (written, meant) => {
  const finding = { kind: 'unknown_reference', path: ['a'], at: 'value', got: written }
  const expected = 'the name of a variable, of letters, digits and "_"'
  expect(resolved({ a: written }).findings).toEqual([{ ...finding, expected, next: `Write it as in ${meant}.` }])
})

test.each([
  ['${env:HOST', '${env:HOST'],
  ['Bearer ${env:HOST and more', '${env:HOST'],
  ['${file:./a.txt', '${file:./a.txt'],
  ['${env:HOST${env:HOST}', '${env:HOST'],
])('%s is refused: its closing brace is missing', (written, got) => {
  const next = `Write ${got}}. To mean the text itself, double the dollar sign.`
  const finding = { kind: 'unknown_reference', path: ['a'], at: 'value', got, expected: 'a closing brace' }
  expect(resolved({ a: written }).findings).toEqual([{ ...finding, next }])
  expect(findReferences({ a: written }).found).toContainEqual({ path: ['a'], written: got })
  expect(resolved({ a: escapeReferences(written) })).toMatchObject({ value: { a: written }, findings: [] })
})

test.each([
  ['${TOKEN}', '${TOKEN}', '${env:TOKEN}'],
  ['Bearer ${api_key}', 'Bearer ${api_key}', 'Bearer ${env:api_key}'],
  ['${TOKEN:-s3cret}', '${TOKEN}', '${env:TOKEN}'],
])('%s alone is refused: it would be used as it is, as a token perhaps', (written, got, meant) => {
  const next = `Write ${meant} for the environment variable. To mean the text itself, double the dollar sign.`
  const finding = { kind: 'unknown_reference', path: ['a'], at: 'value', got, expected: '${env:NAME} or ${file:path}' }
  expect(resolved({ a: written }).findings).toEqual([{ ...finding, next }])
})

test.each([
  [{ a: '$${TOKEN}' }, { a: '${TOKEN}' }],
  [{ a: 'Bearer $${TOKEN}' }, { a: 'Bearer ${TOKEN}' }],
  [{ args: ['${TOKEN}'] }, { args: ['${TOKEN}'] }],
  [{ args: ['-c', 'echo ${TOKEN}'] }, { args: ['-c', 'echo ${TOKEN}'] }],
])('%j is text for the program that receives it', (written, value) => {
  expect(resolved(written)).toMatchObject({ value, findings: [] })
})

test.each(['${TOKEN}', '$${TOKEN}', 'Bearer ${TOKEN}', '${TOKEN:-x}', 'a ${env:HOST}'])('%s can be escaped', (text) => {
  expect(resolved({ a: escapeReferences(text) })).toMatchObject({ value: { a: text }, findings: [] })
})
