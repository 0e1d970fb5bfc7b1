import { createTool, ToolResponse, type Tool } from '@junctor/plugin-sdk'
import * as z from 'zod'
import { encodeWav } from '../encode-wav.ts'

/** The two tones that a telephone exchange plays to say that it is ready. */
const dialTone = encodeWav([350, 440], 400)

/** Something to hear. */
export const sound: Tool = createTool({
  metadata: {
    name: 'sound',
    title: 'Sound',
    description: 'Answers with 0.4 seconds of dial tone as WAV audio. There is somebody on the line: it is you.',
    inputSchema: z.object({}),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  handler: () => ToolResponse.audio(dialTone, 'audio/wav'),
})
