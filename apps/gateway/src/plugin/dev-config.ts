import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join, resolve } from 'node:path'
import { findConfig } from '@junctor/config'
import type { Failure } from '@junctor/command'

/** The configuration with which a plugin is tried. */
export type DevConfig =
  | {
      readonly kind: 'config'
      /** Absolute. */
      readonly file: string
      /** Removes the file if it was made for this. */
      remove(): void
    }
  | { readonly kind: 'unusable'; readonly failure: Failure }

/**
 * Finds or makes the configuration for a plugin: the `junctor.yaml` of its folder, else a new one with the plugin as its
 * only backend.
 *
 * @param path of the plugin: a file or a folder
 * @param folder the current folder
 * @param backend the backend's options as JSON, for a configuration that is made
 */
export function devConfig(path: string, folder: string, backend: string | undefined): DevConfig {
  const target = resolve(folder, path)
  const found = statSync(target, { throwIfNoEntry: false })
  if (found === undefined) return unusable(`expected a file or folder, got ${target}`, 'Name the file of the plugin.')
  const own = found.isDirectory() ? findConfig(target) : undefined
  if (own !== undefined && backend === undefined) return { kind: 'config', file: own, remove: () => {} }
  const options = optionsIn(backend ?? '{}')
  if (options === undefined) return unusable(`expected an object as JSON, got ${backend}`, 'Correct --options.')
  const made = mkdtempSync(join(tmpdir(), 'junctor-dev-'))
  const file = join(made, 'junctor.json')
  const config = { backends: { [backendName(target)]: { ...options, plugin: target } } }
  writeFileSync(file, JSON.stringify(config))
  return { kind: 'config', file, remove: () => rmSync(made, { recursive: true, force: true }) }
}

/** A token for the admin port of one run. */
export function runToken(): string {
  return randomBytes(18).toString('base64url')
}

function optionsIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The name of the package without its scope, or of the file, in the characters that a backend's name may have. */
function backendName(target: string): string {
  const name = packageName(target) ?? basename(target, extname(target))
  return name.replace(/^@[^/]*\//, '').replaceAll(/[^A-Za-z0-9_-]+/g, '-') || 'plugin'
}

function packageName(folder: string): string | undefined {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly name?: unknown }
    return typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}

function unusable(message: string, next: string): DevConfig {
  return { kind: 'unusable', failure: { message, next } }
}
