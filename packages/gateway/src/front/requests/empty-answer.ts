import { payloadFromText, printResult, printV3Result, type Request, wantsStream } from '@junctor/jsonrpc'

const nothing = payloadFromText('{}')

/** The response `{}` to a request that needs no exchange. */
export function emptyAnswer(request: Request): string {
  const { id, dialect } = request
  return dialect === '3.0' ? printV3Result(id, nothing, wantsStream(request)) : printResult(id, nothing)
}
