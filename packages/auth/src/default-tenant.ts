/** The tenant of the plain path. */
export const DEFAULT_TENANT = 'default'
