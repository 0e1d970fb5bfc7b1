import { parseConfig } from '@junctor/config'
import { createWorker } from '@junctor/node'
import { announce } from './announce.ts'
import { benchPlugin } from './bench-plugin.ts'

// A worker with the configuration in the first argument. It does not listen: the port that it reports is the second
// argument, that of NATS, through which it is reached.

const [text = '{}', port] = process.argv.slice(2)
const plugins = [benchPlugin]
const parsed = parseConfig(text, { file: 'bench.json', plugins, env: {} })
if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
await createWorker({ config: parsed.config })
announce(Number(port))
