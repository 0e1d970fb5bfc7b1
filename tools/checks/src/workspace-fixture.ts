import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Manifest, WorkspacePackage } from './workspace.ts'

/** Writes a workspace to a folder that is removed after the test; objects become JSON. */
export function writeWorkspace(files: Readonly<Record<string, string | object>>): string {
  const root = mkdtempSync(join(tmpdir(), 'junctor-checks-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [file, content] of Object.entries({ 'package.json': {}, ...files })) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return root
}

/** A package in the form for the checks. */
export function packageOf(
  folder: string,
  layer: string,
  manifest: Manifest = {},
  files: readonly string[] = [],
): WorkspacePackage {
  const name = manifest.name ?? `@junctor/${folder.split('/').at(-1)}`
  return { folder, name, layer, manifest: { name, ...manifest }, files }
}
