import { expect } from 'vitest'
import { bothEras } from '../src/in-gateway.ts'
import { inStateless } from '../src/in-stateless.ts'
import { resultOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

const answers = {
  'elicitation/create': () => ({ action: 'accept', content: { answer: 'yes' } }),
}
const capabilities = { elicitation: {} }
const ask = { name: 'both__ask', arguments: { text: 'sure?' } }

verifies('ERA-25', { revisions: ['2025-06-18', '2025-11-25'] }, async (cell) => {
  await inStateless(cell, { both: bothEras() }, async ({ client, stateless }) => {
    const older = await client({ capabilities, answers })
    expect(textOf(await older.request('tools/call', ask))).toBe('{"answer":"yes"}')
    const newer = await stateless({ capabilities })
    // The client reaches the server as it would without the gateway.
    expect(resultOf(await newer.request('tools/call', ask))).toMatchObject({ isError: true })
    expect(textOf(await older.request('tools/call', ask))).toBe('{"answer":"yes"}')
  })
})
