import type { Progress } from '@junctor/exchange'
import type { JsonObject } from '@junctor/jsonrpc'
import type { Root } from '../request-context.ts'
import type { ToolResponse } from '../tool-response.ts'

/** What a test observes of one request, and how it answers when the backend asks the client. */
export interface CallOptions {
  /**
   * Cancels the request. The call rejects when the backend has stopped working on it, so that a test detects a backend
   * that does not stop.
   */
  readonly signal?: AbortSignal
  /** JSON-RPC 3.0 options of the request. */
  readonly options?: JsonObject
  /** Receives each progress of the request. Without it, none is asked for. */
  readonly onProgress?: (progress: Progress) => void
  /** `params` of `notifications/message`: level, logger, data. */
  readonly onLog?: (params: JsonObject) => void
  /** Called with each piece of a streamed answer, when it arrives. */
  readonly onChunk?: (data: unknown) => void
  /** Answers a form: `{ action, content }`. Without it the backend cannot ask the client for a form. */
  readonly onElicit?: (params: JsonObject) => JsonObject | Promise<JsonObject>
  /** Answers for the client's model: `{ role, content, model }`. Without it the client has no model. */
  readonly onSample?: (params: JsonObject) => JsonObject | Promise<JsonObject>
  /**
   * Answers the backend's calls of other tools, which a gateway would make. Without it every other tool is unknown. An
   * error that it throws is the failure of the tool.
   *
   * @param name as the backend calls it: `backend:tool`
   */
  readonly onCallTool?: (name: string, input: JsonObject) => string | ToolResponse | Promise<string | ToolResponse>
  /** Returns the client's roots. Without it the client has no roots. */
  readonly onRoots?: () => readonly Root[] | Promise<readonly Root[]>
}
