import { createPrompt, type Prompt } from '@junctor/plugin-sdk'
import { proposeNames } from '../names.ts'

const styles = ['formal', 'friendly', 'poetic', 'telegram']

/** A prompt whose arguments are completed while someone types. */
export const greetingPrompt: Prompt = createPrompt({
  name: 'greeting',
  title: 'Greeting',
  description: 'Asks the model to greet somebody in a style of your choice. Telegrams are charged by the word.',
  arguments: {
    name: { description: 'Who is to be greeted', required: true, complete: proposeNames },
    style: {
      description: 'How; friendly if nothing is said',
      complete: (typed) => styles.filter((style) => style.startsWith(typed)),
    },
  },
  handler: ({ name, style = 'friendly' }) => `Greet ${name} in a ${style} way, in one or two sentences.`,
})
