import { parseConfig } from '@junctor/config'
import { createNode } from '@junctor/node'
import { httpToolsPlugin } from '@junctor/plugin-http-tools'
import { mcpPlugin } from '@junctor/plugin-mcp'
import { announce } from './announce.ts'
import { benchPlugin } from './bench-plugin.ts'

// Junctor with the configuration in the first argument, on standard input and output if the second argument selects
// them, else on HTTP.

const [text = '{}', front] = process.argv.slice(2)
const plugins = [benchPlugin, mcpPlugin, httpToolsPlugin]
const parsed = parseConfig(text, { file: 'bench.json', plugins, env: {} })
if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
const node = await createNode({ config: parsed.config })

if (front === 'stdio') {
  node.serveStdio(process.stdin, process.stdout)
  announce(undefined)
} else {
  const { http } = await node.listen()
  announce(http.port)
}
