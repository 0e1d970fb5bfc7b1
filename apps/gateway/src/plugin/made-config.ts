import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join, resolve } from 'node:path'
import type { Failure } from '@junctor/command'
import { legalName } from '@junctor/config'
import type { PluginOptions } from './plugin-options.ts'

/** A configuration for one plugin. */
export type PluginConfig =
  | {
      readonly kind: 'config'
      /** Absolute. */
      readonly file: string
      /** Where relative paths of the file start. */
      readonly folder: string
      /** The backend of the plugin, in a file that was made for this. */
      readonly made?: string
      /** Removes the file if it was made for this. */
      remove(): void
    }
  | { readonly kind: 'unusable'; readonly failure: Failure }

/** What a configuration is made of. */
export interface MadeConfigOptions {
  /** The plugin: a file or a folder. */
  readonly path: string
  /** The current folder. */
  readonly folder: string
  /** The backend's options. Default: none. Relative paths in them start at their folder. */
  readonly options: PluginOptions | undefined
  /** Whether clients see the plugin as if nothing were around it: its own names, and no tools of the gateway. */
  readonly bare?: true
}

/** Makes a configuration with a plugin as its only backend, in a new folder. */
export function madeConfig({ path, folder, options, bare }: MadeConfigOptions): PluginConfig {
  const target = resolve(folder, path)
  if (statSync(target, { throwIfNoEntry: false }) === undefined) {
    const message = `expected a file or folder, got ${target}`
    return { kind: 'unusable', failure: { message, next: 'Name the file of the plugin.' } }
  }
  const name = backendName(target)
  const backends = { [name]: { ...options?.options, plugin: target, ...(bare && { prefix: '' }) } }
  const { version = '0.0.0' } = manifestOf(target)
  const around = bare ? { gatewayTools: false, server: { name, version } } : {}
  const made = mkdtempSync(join(tmpdir(), 'junctor-plugin-'))
  const file = join(made, 'junctor.json')
  writeFileSync(file, JSON.stringify({ ...around, backends }))
  return {
    kind: 'config',
    file,
    folder: options?.folder ?? folder,
    made: name,
    remove: () => rmSync(made, { recursive: true, force: true }),
  }
}

/** The name of the package without its scope, or of the file, in the characters that a backend's name may have. */
function backendName(target: string): string {
  const name = manifestOf(target).name ?? basename(target, extname(target))
  return legalName(name.replace(/^@[^/]*\//, ''))
}

function manifestOf(folder: string): { readonly name?: string; readonly version?: string } {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Readonly<Record<string, unknown>>
    const { name, version } = manifest
    return { ...(typeof name === 'string' && { name }), ...(typeof version === 'string' && { version }) }
  } catch {
    return {}
  }
}
