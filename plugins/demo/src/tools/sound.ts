import { createTool, ToolResponse, type Tool } from '@junctor/plugin-sdk'
import * as z from 'zod'
import { encodeWav } from '../encode-wav.ts'

/** The two tones of the dial tone of a telephone exchange. */
const dialTone = encodeWav([350, 440], 400)

/** Answers with a sound. */
export const sound: Tool = createTool({
  metadata: {
    name: 'sound',
    title: 'Sound',
    description: 'Answers with 0.4 seconds of dial tone as WAV audio.',
    inputSchema: z.object({}),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  handler: () => ToolResponse.audio(dialTone, 'audio/wav'),
})
