import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isJsonObject } from '@junctor/jsonrpc'
import { printable } from '@junctor/primitives'
import { InvalidArgumentError, Option } from 'commander'
import { parse } from 'yaml'
import type { PluginOptions } from '../plugin/plugin-options.ts'

/** `--options`: the options of a plugin's backend, on the command line or in a file. */
export function pluginOptionsOption(): Option {
  return new Option('--options <file>', 'the options of the backend: a file of YAML or JSON, or JSON itself').argParser(
    parsePluginOptions,
  )
}

function parsePluginOptions(text: string): PluginOptions {
  const isJson = /^\s*[[{"]/.test(text)
  const what = isJson ? printable(text, 60) : `the file ${printable(text)}`
  try {
    const value: unknown = parse(isJson ? text : readFileSync(text, 'utf8'))
    if (isJsonObject(value)) return { options: value, folder: isJson ? process.cwd() : dirname(resolve(text)) }
  } catch (error) {
    // The other lines of a message of YAML show the text again.
    const [reason = ''] = (error as Error).message.split(/:?\n/)
    throw new InvalidArgumentError(printable(`Expected options, got ${what}: ${reason}.`))
  }
  throw new InvalidArgumentError(`Expected options such as '{"city":"Oslo"}', got ${what}.`)
}
