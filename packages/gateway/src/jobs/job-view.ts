import type { CallContext, View } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { metaOf, requestView } from '../shared/request-view.ts'
import type { JobParts } from './job-parts.ts'
import type { JobRecord } from './job-record.ts'
import { contextOf, requestOf } from './job-record.ts'

/** How the answer of a job looks to whoever sent its request. */
export function viewOf(
  { profileOf }: Pick<JobParts, 'profileOf'>,
  record: JobRecord,
  request: Request = requestOf(record.request),
  context: CallContext = contextOf(record),
): View {
  const delivery = record.kind === 'queued' ? 'queued' : 'task'
  return requestView(request, metaOf(request), context, profileOf(record.tenant), delivery)
}
