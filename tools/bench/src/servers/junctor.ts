import { httpToolsPlugin } from '@junctor/plugin-http-tools'
import { mcpPlugin } from '@junctor/plugin-mcp'
import { benchPlugin } from './bench-plugin.ts'
import { serveJunctor } from './serve-junctor.ts'

// Junctor with the configuration in the first argument, on standard input and output if the second argument selects
// them, else on HTTP.

const [text = '{}', front] = process.argv.slice(2)
await serveJunctor(text, [benchPlugin, mcpPlugin, httpToolsPlugin], front)
