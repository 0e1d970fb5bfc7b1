/** What a pair of client and server is tried with. Each client has a check of this name for each of them. */
export const features = [
  'revision',
  'tools',
  'resources',
  'prompts',
  'progress',
  'cancellation',
  'elicitation',
  'sampling',
  'tasks',
] as const

/** One of `features`. */
export type Feature = (typeof features)[number]
