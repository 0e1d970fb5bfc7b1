/** The tenants of a configuration, and the names of the backends that each of them has. */
export type BackendsByTenant = ReadonlyMap<string, readonly string[]>
