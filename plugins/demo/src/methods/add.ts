import { createMethod, type Method } from '@junctor/plugin-sdk'
import * as z from 'zod'

/** The sum of a list of two. */
export const addMethod: Method = createMethod({
  name: 'add',
  description: 'Adds two numbers that come as a list.',
  params: z.tuple([z.number(), z.number()]),
  handler: ([a, b]) => a + b,
})
