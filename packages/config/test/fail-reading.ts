import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished, vi } from 'vitest'

/** Lets each attempt to read a file fail with a code, as the system does. Returns a function that ends this. */
export function failReading(file: string, code: string): () => void {
  const { readFileSync } = fs
  const spy = vi.spyOn(fs, 'readFileSync').mockImplementation(((path: string, ...rest: [BufferEncoding]) => {
    if (path === file) throw Object.assign(new Error(code), { code })
    return readFileSync(path, ...rest)
  }) as typeof readFileSync)
  syncBuiltinESMExports()
  const end = (): void => {
    spy.mockRestore()
    syncBuiltinESMExports()
  }
  onTestFinished(end)
  return end
}
