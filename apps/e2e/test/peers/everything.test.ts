import { compiledOnce } from '@junctor/testkit'
import { createRequire } from 'node:module'
import { describeFeatures } from '../../src/peers/describe-features.ts'
import { everythingFeatures } from '../../src/peers/everything-features.ts'

const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')

describeFeatures(
  () => ({
    every: { command: process.execPath, args: [program, 'stdio'], env: { ...compiledOnce, FOR_THE_CHILD: '1' } },
  }),
  everythingFeatures,
)
