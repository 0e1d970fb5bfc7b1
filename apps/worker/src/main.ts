#!/usr/bin/env node
import module from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { endAtEarlySignals } from '@junctor/command/early-signals'
import { keepTicksFast } from '@junctor/command/keep-ticks-fast'
import { refuseOldNode } from '@junctor/command/old-node'

// An older version cannot even link an import of what it does not have, so this file names nothing new.
refuseOldNode(process)
keepTicksFast(process)
endAtEarlySignals(process)

// Reading and compiling take most of a start: compiled code is cached beside the source, where other users cannot
// write. When this user cannot write there either, the start only takes longer.
module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/junctor'))

const { run } = await import('./run.ts')
await run(process)
