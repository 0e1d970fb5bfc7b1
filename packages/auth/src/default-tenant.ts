/** The tenant of the path without a tenant. */
export const DEFAULT_TENANT = 'default'
