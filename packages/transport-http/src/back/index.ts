export type { AnswerListener, PendingAnswer } from './answer-stream.ts'
export { type FailureSituation, failureSituation } from './failure-situation.ts'
export {
  createMcpHttpClient,
  defaultMcpHttpClientLimits,
  type McpHttpClient,
  type McpHttpClientOptions,
} from './mcp-http-client.ts'
export { describeFailure, type HttpFailure } from './http-failure.ts'
export type { McpHttpClientLimits } from './http-origin.ts'
export type { HttpSession, MessageHeaders } from './http-session.ts'
export type { SessionListener } from './session-stream.ts'
