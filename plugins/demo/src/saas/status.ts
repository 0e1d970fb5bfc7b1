import { createResource, type Resource } from '@junctor/plugin-sdk'

/** The status of this process: its time, and its uptime in seconds. */
export const status: Resource = createResource({
  uri: 'server://status',
  name: 'Server Status',
  description: 'Current server status and health information',
  mimeType: 'application/json',
  read: () =>
    JSON.stringify({
      status: 'healthy',
      timestamp: `${new Date().toISOString().slice(0, 19)}Z`,
      uptime: Math.floor(process.uptime()),
    }),
})
