import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createParsing, problemsOf } from './parsing.ts'

const parsing = createParsing()
const file = join(parsing.folder, 'junctor.pins.json')
afterEach(() => rmSync(file, { force: true }))
afterAll(() => parsing.remove())

const read = { description: 'Reads a file', inputSchema: { type: 'object' } }
const backends = 'backends: { files: { command: x }, mail: { command: y, pins: warn }, web: { command: z, pins: off } }'

test('each backend has its own approved tools, and the word of the file or its own', () => {
  writeFileSync(file, JSON.stringify({ files: { read }, web: { read }, gone: { read } }))
  const parsed = parsing.parse(`pins: block\n${backends}`)
  expect(parsed).toMatchObject({ kind: 'valid', files: [file] })
  const config = parsing.valid(`pins: block\n${backends}`)
  expect(config.backends.map(({ pins }) => pins)).toEqual([
    { mode: 'block', approved: { read } },
    { mode: 'warn', approved: {} },
    undefined,
  ])
})

test('without a file, nothing is approved, and the file is watched for', () => {
  const parsed = parsing.parse('pins: block\nbackends: { files: { command: x } }')
  expect(parsed).toMatchObject({ kind: 'valid', files: [file] })
  expect(parsing.valid('pins: block\nbackends: { files: { command: x } }').backends[0]?.pins).toEqual({
    mode: 'block',
    approved: {},
  })
})

test('by default, tools are shown as they come, and a damaged file harms nothing', () => {
  writeFileSync(file, 'null')
  const parsed = parsing.parse('backends: { files: { command: x } }')
  expect(parsed).toMatchObject({ kind: 'valid', files: [], config: { pins: { mode: 'off' } } })
  expect(parsing.valid('backends: { files: { command: x } }').backends[0]?.pins).toBeUndefined()
})

test.each([
  ['null', 'junctor.pins.json, which is not a JSON object'],
  ['[]', 'junctor.pins.json, which is not a JSON object'],
  ['{"files": []}', 'junctor.pins.json, in which "files" is not an object of tools'],
  ['{"files": {"read": "yes"}}', 'junctor.pins.json, in which "files" is not an object of tools'],
  ['{"files": {"read": null}}', 'junctor.pins.json, in which "files" is not an object of tools'],
  ['{"__proto__": {"read": {}}}', 'junctor.pins.json, in which "__proto__" is not the name of a backend'],
])('a damaged file is no approval: %s', (text, got) => {
  writeFileSync(file, text)
  expect(problemsOf(parsing.parse('pins: warn'))).toMatchObject([{ kind: 'pins_unusable', got }])
})
