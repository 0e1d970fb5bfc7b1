/** The tenant of the path without a tenant, and of a configuration without tenants. */
export const defaultTenant = 'default'
