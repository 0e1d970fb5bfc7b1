import { andThen, createPrompt, type Prompt } from '@junctor/plugin-sdk'

const prompt = createPrompt({
  name: 'greeting',
  description: 'Generate a friendly greeting prompt',
  arguments: { name: { description: 'Name of the person to greet', required: false } },
  handler: ({ name = 'them' }) => `Please greet ${name} in a friendly way.`,
})

/** A prompt with one description in the list, and another one in the result of `prompts/get`. */
export const greeting: Prompt = {
  ...prompt,
  get: (input, context) =>
    andThen(prompt.get(input, context), (given) => ({ ...given, description: 'A friendly greeting prompt' })),
}
