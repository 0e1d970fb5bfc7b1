import type { Request, WireError } from '@junctor/jsonrpc'
import { printError, printV3Error, wantsStream } from '@junctor/jsonrpc'

/** The error for a request that is not run, in the request's version and form. */
export function refusalText(request: Request, error: WireError): string {
  if (request.dialect === '3.0') return printV3Error(request.id, error, wantsStream(request))
  return printError(request.id, error, false)
}
