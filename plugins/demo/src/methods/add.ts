import { createMethod, type Method } from '@junctor/plugin-sdk'
import * as z from 'zod'

/** Returns the sum of a list of two numbers. */
export const addMethod: Method = createMethod({
  name: 'add',
  description: 'Adds two numbers that are given as a list.',
  params: z.tuple([z.number(), z.number()]),
  handler: ([a, b]) => a + b,
})
