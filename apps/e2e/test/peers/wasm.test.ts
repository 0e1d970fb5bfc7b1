import { expect } from 'vitest'
import { buildWasmSample } from '@junctor/testkit/build-wasm-sample'
import { describeFeatures, type Feature } from '../../src/peers/describe-features.ts'

const features: readonly Feature[] = [
  {
    name: 'an answer',
    async run(client) {
      expect(await client.callTool('wasm__echo', { text: 'hello' })).toMatchObject({ content: [{ text: 'hello' }] })
    },
  },
  {
    name: 'an error that the module explains',
    async run(client) {
      expect(await client.callTool('wasm__refuse', { text: 'no' })).toMatchObject({ isError: true })
    },
  },
  {
    name: 'a crash, after which the next call works',
    async run(client) {
      await expect(client.callTool('wasm__crash')).rejects.toThrow('The tool failed without a result')
      expect(await client.callTool('wasm__echo', { text: 'next' })).toMatchObject({ content: [{ text: 'next' }] })
    },
  },
]

const sample = await buildWasmSample()

describeFeatures(() => ({ wasm: { wasm: sample } }), features, 'longest')
