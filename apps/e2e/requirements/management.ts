/** The requirements for operators who change a running gateway: `ADMIN-` and a number. */
export const managementRequirements = {
  'ADMIN-1': {
    source: 'Managed backends',
    behaviour:
      'a backend that is added at one node is served to open sessions at all nodes, and is gone when it is removed',
  },
  'ADMIN-2': {
    source: 'Managed backends',
    behaviour: 'a call in flight gets its answer while its backend is replaced or removed at another node',
  },
  'ADMIN-3': {
    source: 'Managed backends',
    behaviour:
      'programs, files, plugins, references and backends of the file are refused, and no client reaches the port',
  },
} as const
