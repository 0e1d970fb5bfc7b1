import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cannotSave, saveContent } from './save-content.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-save-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const image = { type: 'image', mimeType: 'image/png', data: base64('picture') }
const audio = { type: 'audio', mimeType: 'audio/wav', data: base64('sound') }
const blob = { type: 'resource', resource: { uri: 'x:y', blob: base64('bytes') } }

test('images, audio and blobs are saved beside each other, text is not', () => {
  const file = join(folder, 'a.png')
  expect(cannotSave(file)).toBeUndefined()
  const { files, failure } = saveContent([{ type: 'text', text: 'x' }, image, audio, blob], file)
  expect(failure).toBeUndefined()
  expect(files).toEqual([
    { file, type: 'image/png', size: 7 },
    { file: join(folder, 'a-2.png'), type: 'audio/wav', size: 5 },
    { file: join(folder, 'a-3.png'), type: 'resource', size: 5 },
  ])
  expect(files.map((saved) => readFileSync(saved.file, 'utf8'))).toEqual(['picture', 'sound', 'bytes'])
})

test('no file is overwritten, and an existing file is detected before the call', () => {
  const file = join(folder, 'a.png')
  writeFileSync(file, 'mine')
  expect(cannotSave(file)?.message).toBe(`${file} is there already, and is not overwritten`)
  expect(saveContent([image], file)).toMatchObject({
    files: [],
    failure: { message: expect.stringMatching(/already/) },
  })
  expect(readFileSync(file, 'utf8')).toBe('mine')

  writeFileSync(join(folder, 'b-2.png'), 'mine')
  const second = saveContent([image, audio], join(folder, 'b.png'))
  expect(second).toMatchObject({
    files: [{ size: 7 }],
    failure: { message: expect.stringMatching(/b-2\.png is there already/) },
  })
})

test('a missing folder, and a result without bytes, are reported', () => {
  expect(cannotSave(join(folder, 'none/a.png'))?.message).toBe(`there is no folder ${join(folder, 'none')}`)
  expect(saveContent([{ type: 'text', text: 'x' }], join(folder, 'a.png'))).toMatchObject({
    files: [],
    failure: { message: expect.stringMatching(/no image, audio or blob/) },
  })
  expect(saveContent(undefined, join(folder, 'a.png')).failure).toBeDefined()
})
