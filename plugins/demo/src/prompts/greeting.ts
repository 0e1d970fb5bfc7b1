import { createPrompt, type Prompt } from '@junctor/plugin-sdk'
import { proposeNames } from '../propose-names.ts'

const styles = ['formal', 'friendly', 'poetic', 'telegram']

/** A prompt whose arguments are completed while a person types. */
export const greetingPrompt: Prompt = createPrompt({
  name: 'greeting',
  title: 'Greeting',
  description: 'Asks the model to greet a person in a style of your choice.',
  arguments: {
    name: { description: 'Who is to be greeted', required: true, complete: proposeNames },
    style: {
      description: 'The style; friendly if none is given',
      complete: (typed) => styles.filter((style) => style.startsWith(typed)),
    },
  },
  handler: ({ name, style = 'friendly' }) => `Greet ${name} in a ${style} way, in one or two sentences.`,
})
