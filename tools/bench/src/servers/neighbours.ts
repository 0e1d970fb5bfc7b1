import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createNode, readConfig } from '@junctor/node'
import { announce } from './announce.ts'
import { benchPlugin } from './bench-plugin.ts'

// Junctor with the echo in its process, and beside it a hostile plugin in a process of its own.

const folder = mkdtempSync(join(tmpdir(), 'junctor-bench-'))
const file = join(folder, 'bench.json')
const hostile = { plugin: fileURLToPath(new URL('./hostile-plugin.ts', import.meta.url)), isolation: 'process' }
const config = { listen: { http: { port: 0 } }, backends: { lean: { plugin: 'bench' }, hostile } }
writeFileSync(file, JSON.stringify(config))
const parsed = await readConfig(file, { plugins: [benchPlugin], env: {} })
rmSync(folder, { recursive: true })
if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
const node = await createNode({ config: parsed.config })
const { http } = await node.listen()
announce(http.port)
