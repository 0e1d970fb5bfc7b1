import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from 'vitest'
import { describeFeatures, type Feature } from '../../src/peers/describe-features.ts'
import { sortedNames } from '../../src/peers/sorted-names.ts'
import { compiledOnce, eventually } from '@junctor/testkit'

const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js')

/** Features of `@modelcontextprotocol/server-filesystem`, used one after another on a folder that is empty at first. */
const features: readonly Feature[] = [
  {
    name: 'lists',
    async run(client) {
      expect(await sortedNames(client.tools())).toEqual([
        'files__create_directory',
        'files__directory_tree',
        'files__edit_file',
        'files__get_file_info',
        'files__list_allowed_directories',
        'files__list_directory',
        'files__list_directory_with_sizes',
        'files__move_file',
        'files__read_file',
        'files__read_media_file',
        'files__read_multiple_files',
        'files__read_text_file',
        'files__search_files',
        'files__write_file',
      ])
    },
  },
  {
    name: 'list_allowed_directories',
    async run(client, folder) {
      expect(await client.callTool('files__list_allowed_directories')).toMatchObject({
        content: [{ text: `Allowed directories:\n${folder}` }],
      })
    },
  },
  {
    name: 'create_directory and write_file',
    async run(client, folder) {
      await client.callTool('files__create_directory', { path: `${folder}/notes` })
      const written = { path: `${folder}/notes/first.txt`, content: 'one\ntwo\nthree \u{1F600}\n' }
      expect(await client.callTool('files__write_file', written)).toMatchObject({
        structuredContent: { content: `Successfully wrote to ${written.path}` },
      })
      expect(readFileSync(written.path, 'utf8')).toBe(written.content)
    },
  },
  {
    name: 'read_text_file, all and in part, and its deprecated name',
    async run(client, folder) {
      const path = `${folder}/notes/first.txt`
      const content = 'one\ntwo\nthree \u{1F600}\n'
      expect(await client.callTool('files__read_text_file', { path })).toMatchObject({
        content: [{ type: 'text', text: content }],
        structuredContent: { content },
      })
      expect(await client.callTool('files__read_text_file', { path, head: 1 })).toMatchObject({
        structuredContent: { content: 'one' },
      })
      expect(await client.callTool('files__read_file', { path })).toMatchObject({ structuredContent: { content } })
    },
  },
  {
    name: 'read_multiple_files, one of which is not there',
    async run(client, folder) {
      const paths = [`${folder}/notes/first.txt`, `${folder}/nothing.txt`]
      expect(await client.callTool('files__read_multiple_files', { paths })).toMatchObject({
        content: [{ text: expect.stringMatching(/first\.txt:\none\n[^]*nothing\.txt: Error/) }],
      })
    },
  },
  {
    name: 'read_media_file',
    async run(client, folder) {
      await client.callTool('files__write_file', { path: `${folder}/drawing.svg`, content: '<svg/>' })
      expect(await client.callTool('files__read_media_file', { path: `${folder}/drawing.svg` })).toMatchObject({
        content: [{ type: 'image', mimeType: 'image/svg+xml', data: Buffer.from('<svg/>').toString('base64') }],
      })
    },
  },
  {
    name: 'edit_file, tried and done',
    async run(client, folder) {
      const path = `${folder}/notes/first.txt`
      const edit = { path, edits: [{ oldText: 'two', newText: 'zwei' }] }
      expect(await client.callTool('files__edit_file', { ...edit, dryRun: true })).toMatchObject({
        content: [{ text: expect.stringMatching(/^-two\n\+zwei$/m) }],
      })
      expect(readFileSync(path, 'utf8')).toContain('two')
      await client.callTool('files__edit_file', edit)
      expect(readFileSync(path, 'utf8')).toContain('zwei')
    },
  },
  {
    name: 'list_directory, list_directory_with_sizes and directory_tree',
    async run(client, folder) {
      expect(await client.callTool('files__list_directory', { path: folder })).toMatchObject({
        content: [{ text: expect.stringContaining('[DIR] notes') }],
      })
      expect(await client.callTool('files__list_directory_with_sizes', { path: folder })).toMatchObject({
        content: [{ text: expect.stringContaining('Total: 1 files, 1 directories') }],
      })
      expect(await client.callTool('files__directory_tree', { path: `${folder}/notes` })).toMatchObject({
        content: [{ text: JSON.stringify([{ name: 'first.txt', type: 'file' }], null, 2) }],
      })
    },
  },
  {
    name: 'search_files and get_file_info',
    async run(client, folder) {
      expect(await client.callTool('files__search_files', { path: folder, pattern: '**/*.txt' })).toMatchObject({
        content: [{ text: `${folder}/notes/first.txt` }],
      })
      expect(await client.callTool('files__get_file_info', { path: `${folder}/drawing.svg` })).toMatchObject({
        content: [{ text: expect.stringMatching(/^size: 6$[^]*^isFile: true$/m) }],
      })
    },
  },
  {
    name: 'move_file',
    async run(client, folder) {
      const moved = { source: `${folder}/notes/first.txt`, destination: `${folder}/last.txt` }
      await client.callTool('files__move_file', moved)
      expect(readFileSync(moved.destination, 'utf8')).toContain('three')
      expect(await client.callTool('files__read_text_file', { path: moved.source })).toMatchObject({ isError: true })
    },
  },
  {
    name: 'a path outside the folder gets a result with an error',
    async run(client, folder) {
      expect(await client.callTool('files__read_text_file', { path: `${folder}/../beside` })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('Access denied') }],
      })
      expect(await client.callTool('files__write_file', { path: `${folder}-beside`, content: '' })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('Access denied') }],
      })
    },
  },
  {
    name: 'a change of roots, which the server asks about outside any request',
    async run(client, folder) {
      client.answer('roots/list', () => ({ roots: [{ uri: `file://${folder}/notes` }] }))
      await client.rootsChanged()
      await eventually(async () =>
        expect(await client.callTool('files__list_allowed_directories')).toMatchObject({
          content: [{ text: `Allowed directories:\n${folder}/notes` }],
        }),
      )
    },
  },
]

describeFeatures(
  (folder) => ({ files: { command: process.execPath, args: [program, folder], env: compiledOnce } }),
  features,
  'longest',
)
