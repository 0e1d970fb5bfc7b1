import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js'
import { pngBase64, wavBase64 } from '../media.ts'
import { type FixtureTool, noArguments } from './fixture-tool.ts'

/** Tools that answer immediately, one for each kind of content, and one that answers with an error. */
export const contentTools: readonly FixtureTool[] = [
  answering('test_simple_text', 'Answers with a text', [
    { type: 'text', text: 'This is a simple text response for testing.' },
  ]),
  answering('test_image_content', 'Answers with an image', [{ type: 'image', data: pngBase64, mimeType: 'image/png' }]),
  answering('test_audio_content', 'Answers with a sound', [{ type: 'audio', data: wavBase64, mimeType: 'audio/wav' }]),
  answering('test_embedded_resource', 'Answers with a resource', [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ]),
  answering('test_multiple_content_types', 'Answers with a text, an image and a resource', [
    { type: 'text', text: 'Multiple content types test:' },
    { type: 'image', data: pngBase64, mimeType: 'image/png' },
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      },
    },
  ]),
  {
    definition: { name: 'test_error_handling', description: 'Always fails', inputSchema: noArguments },
    run: () => ({
      isError: true,
      content: [{ type: 'text', text: 'This tool intentionally returns an error for testing' }],
    }),
  },
]

function answering(name: string, description: string, content: ContentBlock[]): FixtureTool {
  return { definition: { name, description, inputSchema: noArguments }, run: () => ({ content }) }
}
