import {
  ErrorCode,
  McpError,
  type GetPromptResult,
  type Prompt,
  type PromptMessage,
} from '@modelcontextprotocol/sdk/types.js'
import { pngBase64 } from './media.ts'

/** The arguments of a prompt. */
type Values = Readonly<Record<string, string>>

/** A prompt, as the suites use it. */
interface FixturePrompt {
  readonly definition: Prompt
  messages(values: Values): readonly PromptMessage['content'][]
}

const all: readonly FixturePrompt[] = [
  {
    definition: { name: 'test_simple_prompt', description: 'A prompt without arguments' },
    messages: () => [{ type: 'text', text: 'This is a simple prompt for testing.' }],
  },
  {
    definition: {
      name: 'test_prompt_with_arguments',
      description: 'A prompt that shows its arguments',
      arguments: [
        { name: 'arg1', description: 'First test argument', required: true },
        { name: 'arg2', description: 'Second test argument', required: true },
      ],
    },
    messages: ({ arg1, arg2 }) => [{ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }],
  },
  {
    definition: {
      name: 'test_prompt_with_embedded_resource',
      description: 'A prompt that has a resource in it',
      arguments: [{ name: 'resourceUri', description: 'URI of the resource', required: true }],
    },
    messages: ({ resourceUri = '' }) => [
      {
        type: 'resource',
        resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      },
      { type: 'text', text: 'Please process the embedded resource above.' },
    ],
  },
  {
    definition: { name: 'test_prompt_with_image', description: 'A prompt that has an image in it' },
    messages: () => [
      { type: 'image', data: pngBase64, mimeType: 'image/png' },
      { type: 'text', text: 'Please analyze the image above.' },
    ],
  },
]

/** The prompts as `prompts/list` shows them. Their names and arguments are those that the suites expect. */
export const prompts: readonly Prompt[] = all.map(({ definition }) => definition)

/** Throws invalid params for an unknown prompt. */
export function getPrompt(name: string, values: Values): GetPromptResult {
  const prompt = all.find(({ definition }) => definition.name === name)
  if (prompt === undefined) throw new McpError(ErrorCode.InvalidParams, `Unknown prompt: ${name}`)
  return { messages: prompt.messages(values).map((content) => ({ role: 'user', content })) }
}

/** Values for `arg1` of `test_prompt_with_arguments`; none for other arguments. */
export function completeArgument(prompt: string, argument: string, written: string): readonly string[] {
  if (prompt !== 'test_prompt_with_arguments' || argument !== 'arg1') return []
  return ['paris', 'park', 'party'].filter((value) => value.startsWith(written))
}
