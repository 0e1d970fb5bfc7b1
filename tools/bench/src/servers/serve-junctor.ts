import { parseConfig } from '@junctor/config'
import { createNode } from '@junctor/node'
import type { Plugin } from '@junctor/plugin-sdk'
import { announce } from './announce.ts'

/** Serves a configuration, on standard input and output if `front` selects them, else on HTTP. */
export async function serveJunctor(text: string, plugins: readonly Plugin[], front?: string): Promise<void> {
  const parsed = parseConfig(text, { file: 'bench.json', plugins, env: {} })
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  const node = await createNode({ config: parsed.config })
  if (front === 'stdio') {
    node.serveStdio(process.stdin, process.stdout)
    announce(undefined)
    return
  }
  const { http } = await node.listen()
  announce(http.port)
}
