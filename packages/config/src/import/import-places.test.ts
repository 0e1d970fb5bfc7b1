import { expect, test } from 'vitest'
import { importPlaces, projectPlaces } from './import-places.ts'

test.each([
  ['linux', '/home/ada', '/home/ada/.config/Claude/claude_desktop_config.json', '/home/ada/.config/zed/settings.json'],
  [
    'darwin',
    '/Users/ada',
    '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
    '/Users/ada/.config/zed/settings.json',
  ],
  [
    'win32',
    'C:\\Users\\ada',
    'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    'C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json',
  ],
] as const)('on %s', (platform, home, claude, zed) => {
  const places = importPlaces(home, platform)
  expect(places).toContainEqual({ program: 'Claude Desktop', file: claude })
  expect(places).toContainEqual({ program: 'Zed', file: zed })
  expect(places.filter(({ file }) => !file.startsWith(home))).toEqual([])
})

test('in a project', () => {
  expect(projectPlaces('/p')).toContainEqual({ program: 'VS Code', file: '/p/.vscode/mcp.json' })
  expect(projectPlaces('/p')).toContainEqual({ program: 'Roo Code', file: '/p/.roo/mcp.json' })
})
