import { expect, test } from 'vitest'
import { refusesLostFolder } from './refuses-lost-folder.ts'

const written: string[] = []
const stderr = { write: (text: string) => written.push(text) }

test('a process in a folder that was removed fails, with what to do', () => {
  const cwd = (): string => {
    throw Object.assign(new Error('uv_cwd'), { code: 'ENOENT' })
  }
  const process = { cwd, stderr, exitCode: undefined }
  expect(refusesLostFolder(process as never, 'junctor')).toBe(true)
  expect(process.exitCode).toBe(1)
  expect(written).toEqual([
    'junctor: The folder that this command runs in does not exist any more (ENOENT).\n  Change to another folder, and run it again.\n',
  ])
  expect(refusesLostFolder({ cwd: () => '/', stderr } as never, 'junctor')).toBe(false)
})
