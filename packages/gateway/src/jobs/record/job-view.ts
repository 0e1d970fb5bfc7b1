import type { CallContext, View } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import type { Profile } from '@junctor/protocol'
import { metaOf, requestView } from '../../shared/request-view.ts'
import { contextOf, type JobRecord } from './job-record.ts'
import { requestOf } from './job-request.ts'

/** Returns the profile of a tenant by its name. */
export type ProfileOf = (tenant: string) => Profile

/** How the answer of a job looks to the client that sent its request. */
export function viewOf(
  profileOf: ProfileOf,
  record: JobRecord,
  request: Request = requestOf(record.request),
  context: CallContext = contextOf(record),
): View {
  const view = requestView(request, metaOf(request), context, profileOf(record.tenant))
  // The questions of a task wait in it, whatever the revision of the client.
  return record.kind === 'task' ? { ...view, asks: 'live' } : view
}
