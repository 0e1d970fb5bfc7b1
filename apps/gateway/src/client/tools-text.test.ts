import { expect, test } from 'vitest'
import { toolsText } from './tools-text.ts'

test('tools are shown with their arguments and the first line of their description', () => {
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

test('text from a server cannot move the cursor, reverse text or add a line', () => {
  const inputSchema = { properties: { 'a\u001b[2J': { type: 'x\u202e' } } }
  const tool = { name: 'n\u001b]0;title\u0007\n', description: 'good\u202edoog\u2028more\u0085\u009b', inputSchema }
  expect(toolsText([tool], false)).toBe(
    'n\\u001b]0;title\\u0007\\n [a\\u001b[2J=x\\u202e]\n  good\\u202edoog\\u2028more\\u0085\\u009b\n',
  )
})
