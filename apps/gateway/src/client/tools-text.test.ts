import { expect, test } from 'vitest'
import { toolsText } from './tools-text.ts'

test('tools are shown with their arguments and the first line of what they do', () => {
  const tools = [
    {
      name: 'files__read',
      description: 'Reads a file\nand more',
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string' }, head: { type: 'number' } },
        required: ['path'],
      },
    },
    { name: 'plain', inputSchema: { type: 'object' } },
    { name: 'long', description: 'x'.repeat(200), inputSchema: {} },
  ]
  expect(toolsText(tools, false)).toBe(
    `files__read path=string [head=number]\n  Reads a file\nplain\nlong\n  ${'x'.repeat(99)}…\n`,
  )
})
