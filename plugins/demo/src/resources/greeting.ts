import { createResource, type Resource } from '@junctor/plugin-sdk'
import { proposeNames } from '../propose-names.ts'

/** A greeting for any name: a resource template with a completed variable. */
export const greetingResource: Resource = createResource({
  uriTemplate: 'demo://greeting/{name}',
  name: 'greeting',
  title: 'Greeting',
  description: 'A greeting for the name in the URI.',
  mimeType: 'text/plain',
  complete: { name: proposeNames },
  read: (_uri, { name }) => `Hello, ${name}!`,
})
