import { existsSync, readdirSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Failure } from '@junctor/command'
import { packageFiles, readPluginName } from '@junctor/plugin-template'
import { errorOf } from '@junctor/primitives'
import { isFolder } from '../is-folder.ts'
import { writeNewFiles } from '../whole-folder.ts'

/** What `junctor plugin new` is asked for. */
export interface NewPluginOptions {
  /** The name of the package. */
  readonly name: string
  /** The folder to write. Default: the name without its scope, in the current folder. */
  readonly dir?: string
}

/** The result of `junctor plugin new`. */
export type NewPlugin =
  | {
      readonly kind: 'written'
      /** Absolute. */
      readonly folder: string
      /** From the folder, with slashes. */
      readonly files: readonly string[]
    }
  | { readonly kind: 'unusable'; readonly failure: Failure }
  | { readonly kind: 'failed'; readonly failure: Failure }

/**
 * Writes the files of a new plugin into a folder that is empty or does not exist.
 *
 * @param sdkVersion of `@junctor/plugin-sdk`
 */
export function newPlugin({ name: given, dir }: NewPluginOptions, from: string, sdkVersion: string): NewPlugin {
  const name = readPluginName(given)
  if (name.kind === 'bad') {
    const message = `expected ${name.expected}, got ${JSON.stringify(given)}`
    return { kind: 'unusable', failure: { message, next: 'Choose another name: junctor plugin new weather' } }
  }
  const folder = resolve(from, dir ?? name.short)
  try {
    if (existsSync(folder) && !isFolder(folder)) {
      const failure = { message: `expected a folder, got the file ${folder}`, next: 'Choose a folder with --dir.' }
      return { kind: 'unusable', failure }
    }
    if (existsSync(folder) && readdirSync(folder).length > 0) {
      const next = 'Choose another folder with --dir. Nothing was written.'
      return { kind: 'failed', failure: { message: `expected an empty folder, got ${folder}`, next } }
    }
    const files = packageFiles(name, sdkVersion)
    writeNewFiles(folder, files)
    return { kind: 'written', folder, files: Object.keys(files) }
  } catch (error) {
    const message = errorOf(error).message
    return { kind: 'failed', failure: { message, next: 'Choose another folder with --dir.' } }
  }
}

/** What was written, and the next steps. */
export function newPluginText({ folder, files }: Extract<NewPlugin, { kind: 'written' }>, from: string): string {
  const shown = relative(from, folder) || '.'
  const steps = [
    ...(shown === '.' ? [] : [[`cd ${shown}`, '']]),
    ['npm install', ''],
    ['npm test', 'the tests in src'],
    ['junctor plugin dev', 'serves it, and again after each change'],
  ]
  return [
    `Wrote ${files.length} files to ${folder}:`,
    ...files.map((file) => `  ${file}`),
    '',
    'Next:',
    ...steps.map(([command = '', why = '']) => `  ${command.padEnd(20)} ${why}`.trimEnd()),
    '',
  ].join('\n')
}
