import { keepTicksFast } from '@junctor/command/keep-ticks-fast'

// Junctor with the configuration in the first argument, on standard input and output if the second argument selects
// them, else on HTTP. It starts as the commands do.

keepTicksFast(process)
const { httpToolsPlugin } = await import('@junctor/plugin-http-tools')
const { mcpPlugin } = await import('@junctor/plugin-mcp')
const { benchPlugin } = await import('./bench-plugin.ts')
const { serveJunctor } = await import('./serve-junctor.ts')
const [text = '{}', front] = process.argv.slice(2)
await serveJunctor(text, [benchPlugin, mcpPlugin, httpToolsPlugin], front)
