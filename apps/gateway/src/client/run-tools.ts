import { exitCodes } from '@junctor/command/exit'
import { listedTools } from './listed-tools.ts'
import { toolsText } from './tools-text.ts'
import { type ClientOptions, useClient } from './use-client.ts'
import { showsColors } from '../report/shows-colors.ts'
import { jsonText } from '../report/json-text.ts'

/** Prints the tools that clients see. */
export function runTools(process: NodeJS.Process, options: ClientOptions): Promise<void> {
  return useClient(process, options, async ({ client }, signal) => {
    const { stdout } = process
    const tools = await listedTools(client, signal)
    stdout.write(options.json === true ? jsonText(tools) : toolsText(tools, showsColors(stdout)))
    return { code: exitCodes.done, ...(tools.length === 0 && { note: noTools(options) }) }
  })
}

/** An empty list has many reasons, and a client sees none of them. */
function noTools({ url }: ClientOptions): string {
  return url === undefined
    ? 'no backend offers a tool, or none has started in time; "junctor check" says what each of them does'
    : 'the gateway offers no tool to this client; "junctor status" shows its backends'
}
