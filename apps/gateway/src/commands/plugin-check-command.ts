import { existsSync } from 'node:fs'
import { exitCodes } from '@junctor/command/exit'
import { isJsonObject, parseJson } from '@junctor/jsonrpc'
import { printable } from '@junctor/primitives'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { PluginCheckWords } from '../plugin-check/run-plugin-check.ts'
import type { SafeCall } from '../plugin-check/probe.ts'
import { pluginOptionsOption } from './plugin-options.ts'

const help = `
Loads the plugin as the gateway does, in a process of its own, and prints one line for each check:
  load, options, start    whether it is a plugin, takes its options, and lists what it offers
  behaviour               the rules that clients and the gateway rely on
  output, close           whether it prints to standard output, and what it holds after its close
  types                   the TypeScript compiler that is installed with it
  manifest, packed        package.json, and the package as "npm pack" makes it, loaded from another folder

Tools are called without their required arguments, which they must refuse. Tools with "readOnlyHint" and without
required arguments are run; --call adds others. The scripts of the package run as they do for "npm pack".

Examples:
  junctor plugin check                                     the package in this folder
  junctor plugin check plugins/weather.ts
  junctor plugin check --options '{"city":"Oslo"}' --call 'forecast={"days":3}'

Exit codes:
  ${exitCodes.done}  all is well
  ${exitCodes.failed}  its types, its manifest or its packed form has problems
  ${exitCodes.usage}  the command line cannot be used
  ${exitCodes.config}  the options do not fit
  ${exitCodes.backend}  it cannot be loaded or started, or breaks rules`

/** `junctor plugin check`. */
export function createPluginCheckCommand(process: NodeJS.Process): Command {
  return new Command('check')
    .description('check a plugin, and the package that it would be published as')
    .argument('[file]', 'the folder of the package, or a file', existing, '.')
    .addOption(pluginOptionsOption())
    .option('--call <tool=json>', 'a call without a harmful effect; may be repeated', calls)
    .option('--json', 'print JSON')
    .addOption(new Option('--probe', 'run the code of the plugin, for the process that checks it').hideHelp())
    .addHelpText('after', help)
    .action(async (path: string, words: PluginCheckWords) => {
      const { runPluginCheck } = await import('../plugin-check/run-plugin-check.ts')
      await runPluginCheck(process, path, words)
    })
}

function existing(path: string): string {
  if (existsSync(path)) return path
  throw new InvalidArgumentError(`Expected a folder or a file that exists, got "${printable(path)}".`)
}

function calls(text: string, before: readonly SafeCall[] = []): readonly SafeCall[] {
  const [, tool = '', json = '{}'] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? []
  const value = parseJson(json)
  if (tool !== '' && isJsonObject(value)) return [...before, { tool, arguments: value }]
  throw new InvalidArgumentError(`Expected a call such as 'forecast={"days":3}', got "${printable(text, 60)}".`)
}
