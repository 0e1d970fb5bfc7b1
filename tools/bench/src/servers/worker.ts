import { keepTicksFast } from '@junctor/command/keep-ticks-fast'
import { announce } from './announce.ts'

// A worker with the configuration in the first argument. It does not listen: the port that it reports is the second
// argument, that of NATS, through which it is reached. It starts as the commands do.

keepTicksFast(process)
const { parseConfig } = await import('@junctor/config')
const { createWorker } = await import('@junctor/node')
const { benchPlugin } = await import('./bench-plugin.ts')
const [text = '{}', port] = process.argv.slice(2)
const plugins = [benchPlugin]
const parsed = parseConfig(text, { file: 'bench.json', plugins, env: {} })
if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
await createWorker({ config: parsed.config })
announce(Number(port))
