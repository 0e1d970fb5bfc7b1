export type { AccountSource, ConnectedAccount, OfferAccounts, Person } from './account-source.ts'
export type { Offer } from './catalogue.ts'
export { ClientRefusal } from './client-refusal.ts'
export type { Complete } from './completion.ts'
export type {
  AudioContent,
  Content,
  ContentAnnotations,
  CustomContent,
  EmbeddedResource,
  ImageContent,
  ResourceContents,
  ResourceLink,
  TextContent,
} from './content.ts'
export { createBackend } from './create-backend.ts'
export type { BackendDefinition, LocalBackend } from './create-backend.ts'
export { createMethod } from './create-method.ts'
export type { Method, MethodDefinition, MethodOutcome, MethodParams } from './create-method.ts'
export { createPrompt } from './create-prompt.ts'
export type {
  Prompt,
  PromptAnswer,
  PromptArgument,
  PromptArguments,
  PromptDefinition,
  PromptInput,
  PromptMessage,
} from './create-prompt.ts'
export { createResource } from './create-resource.ts'
export type { Resource, ResourceData, ResourceDefinition, UriVariables } from './create-resource.ts'
export { createTool } from './create-tool.ts'
export type {
  ForeignSchemas,
  Tool,
  ToolAnnotations,
  ToolAnswer,
  ToolDefinition,
  ToolMetadata,
  ToolOutcome,
} from './create-tool.ts'
export { defaultOAuthPaths } from './gateway-site.ts'
export type { GatewaySite, OAuthPaths } from './gateway-site.ts'
export type { HttpPages } from './http-pages.ts'
export type { PluginCounter } from './plugin-counter.ts'
export type { LifecycleHooks } from './lifecycle.ts'
export { definePlugin, pluginContract } from './plugin.ts'
export type { Plugin, PluginContext, PluginDefinition } from './plugin.ts'
export type { CallToolOptions, Elicited, RequestContext, Root, Sampled } from './request-context.ts'
export type { Schema, SchemaInput, SchemaOutput } from './schema/schema.ts'
export type { ZodSchema } from './schema/zod-schema.ts'
export { ToolCallFailed } from './tool-call-failed.ts'
export { ToolResponse } from './tool-response.ts'
export type { ContentLike, FailedResponse, StreamedResponse, StructuredResponse } from './tool-response.ts'
export type { TokenIssuer } from './token-issuer.ts'
export type { UriTemplate } from './uri-template.ts'
export { type GuardedChild, type Log, type ProcessGuard, type Scope, silentLog } from '@junctor/contracts'
export { andThen } from '@junctor/primitives'
export { logLevels } from '@junctor/protocol'
