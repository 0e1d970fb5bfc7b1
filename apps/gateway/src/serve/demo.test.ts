import { afterEach, expect, test, vi } from 'vitest'
import { createDemoConfig } from './demo.ts'

afterEach(() => vi.unstubAllEnvs())

test('without a folder for temporary files, as in a container that cannot write, the demo has no file server', () => {
  vi.stubEnv('TMPDIR', '/dev/null/folder')
  const demo = createDemoConfig(0)
  expect(Object.keys((JSON.parse(demo.text) as { backends: object }).backends)).toEqual(['demo'])
  demo.remove()
})
