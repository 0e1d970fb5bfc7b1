import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { versions } from '../src/package-files.ts'

test('a new package starts with the versions that Junctor itself uses', () => {
  const workspace = readFileSync(resolve(import.meta.dirname, '../../../pnpm-workspace.yaml'), 'utf8')
  const { catalog } = parse(workspace) as { readonly catalog: Readonly<Record<string, string>> }
  const used = Object.keys(versions).map((name) => [name, `^${catalog[name]}`])
  expect(versions).toEqual(Object.fromEntries(used))
})
