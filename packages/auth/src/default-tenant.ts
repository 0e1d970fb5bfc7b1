/** The tenant of the path without a tenant. */
export const defaultTenant = 'default'
