import { createResource, type Resource } from '@junctor/plugin-sdk'
import { proposeNames } from '../names.ts'

/** A greeting for anyone: a resource template with a completed variable. */
export const greetingResource: Resource = createResource({
  uriTemplate: 'demo://greeting/{name}',
  name: 'greeting',
  title: 'Greeting',
  description: 'A greeting for whoever is named in the URI. Everybody has one; nobody had to write them.',
  mimeType: 'text/plain',
  complete: { name: proposeNames },
  read: (_uri, { name }) => `Hello, ${name}!`,
})
