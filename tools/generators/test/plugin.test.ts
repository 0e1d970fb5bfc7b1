import { expect, test } from 'vitest'
import plugin from '../src/plugin.ts'

/** The files of nx, in memory. */
function tree(): {
  files: Map<string, string>
  exists(path: string): boolean
  write(path: string, text: string): void
} {
  const files = new Map<string, string>()
  return {
    files,
    exists: (path) => [...files.keys()].some((file) => file === path || file.startsWith(`${path}/`)),
    write: (path, text) => void files.set(path, text),
  }
}

test('a plugin is a folder with the files of its siblings', () => {
  const written = tree()
  plugin(written, { name: 'weather-report' })
  expect([...written.files.keys()]).toEqual(
    ['src/config.ts', 'src/plugin.ts', 'src/index.ts', 'src/plugin.test.ts', 'package.json', 'README.md'].map(
      (file) => `plugins/weather-report/${file}`,
    ),
  )
  const manifest = JSON.parse(written.files.get('plugins/weather-report/package.json') ?? '') as object
  expect(manifest).toMatchObject({ name: '@junctor/plugin-weather-report', nx: { tags: ['layer:plugin'] } })
  expect(written.files.get('plugins/weather-report/src/plugin.ts')).toContain("name: '@junctor/plugin-weather-report',")
})

test('nothing is overwritten, and a bad name is refused', () => {
  const written = tree()
  plugin(written, { name: 'weather' })
  expect(() => plugin(written, { name: 'weather' })).toThrow('plugins/weather exists already')
  expect(() => plugin(written, { name: '../weather' })).toThrow('expected a name as npm allows it')
})
