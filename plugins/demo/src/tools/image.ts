import { createTool, ToolResponse, type Tool } from '@junctor/plugin-sdk'
import * as z from 'zod'
import { encodePng } from '../encode-png.ts'

const smile = encodePng([
  '..######..',
  '.#oooooo#.',
  '#oooooooo#',
  '#oo#oo#oo#',
  '#oooooooo#',
  '#o#oooo#o#',
  '#oo####oo#',
  '.#oooooo#.',
  '..######..',
])

/** Answers with a picture. */
export const image: Tool = createTool({
  metadata: {
    name: 'image',
    title: 'Image',
    description: 'Answers with a PNG of ninety pixels: a smiling face.',
    inputSchema: z.object({}),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  handler: () => ToolResponse.image(smile, 'image/png'),
})
