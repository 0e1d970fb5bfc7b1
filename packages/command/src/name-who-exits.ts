import { getCallSites } from 'node:util'
import { exitCodes } from './exit-codes.ts'

/**
 * Says which code has ended the process, when it was not the command: a plugin, or a library of one, that calls
 * `process.exit`. Otherwise the command would end without a word, and with any exit code, also that of success.
 *
 * @param name of the command
 */
export function nameWhoExits(process: Pick<NodeJS.Process, 'on' | 'exitCode' | 'stderr'>, name: string): void {
  process.on('exit', (code) => {
    const place = callerOfExit()
    if (place === undefined) return
    if (code === exitCodes.done) process.exitCode = exitCodes.failed
    process.stderr.write(
      `${name}: code of a plugin has ended this process with process.exit(${code}), at ${place}. Let it throw an error instead, or give its backend "isolation: process".\n`,
    )
  })
}

/** The line that has called `process.exit`. `undefined`: the command itself, or the process ended by itself. */
function callerOfExit(): string | undefined {
  const sites = getCallSites(50)
  const exit = sites.findIndex(({ functionName, scriptName }) => functionName === 'exit' && isOfNode(scriptName))
  const caller = sites.slice(exit + 1).find(({ scriptName }) => !isOfNode(scriptName))
  if (exit === -1 || caller === undefined || caller.scriptName.startsWith(ownFolder)) return undefined
  // The query is the version under which a file was loaded.
  return `${caller.scriptName.replace(/\?[0-9a-f]{16}$/, '')}:${caller.lineNumber}`
}

function isOfNode(scriptName: string): boolean {
  return scriptName.startsWith('node:')
}

/** The folder of this module: the command's own code that ends the process lies in it, also when it is bundled. */
const ownFolder = new URL('.', import.meta.url).href
