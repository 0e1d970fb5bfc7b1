#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'

// Most of a start is reading and compiling: what was compiled once is kept beside the code, where others cannot write.
// Where nobody can, the start takes longer and is the same.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/junctor'))

const { run } = await import('./run.ts')
await run(process)
