export { checkConfiguredHeader } from './check-configured-header.ts'
export { catalogue, type Situation } from './errors/catalogue.ts'
export type { ErrorColumn, ErrorRow } from './errors/error-row.ts'
export { invalidResponse } from './errors/invalid-response.ts'
export { JunctorError, type LocalCode, situationOf, wireErrorFrom } from './errors/local-error.ts'
export { passedOn } from './errors/passed-on.ts'
export { type ErrorView, wireError } from './errors/wire-error.ts'
export type { ErrorDetails } from './errors/error-details.ts'
export type { ClientRequest } from './client-request.ts'
export { type Extension, type Extensions, knownExtensions, noExtensions } from './extensions.ts'
export { headers, mediaTypes } from './headers.ts'
export type { HttpShape } from './http-shape.ts'
export { listChanged } from './list-changed.ts'
export { isLogLevel, type LogLevel, logLevels, reachesLevel } from './log-level.ts'
export { mcpExtensions } from './mcp-extensions.ts'
export { metaKeys } from './meta-keys.ts'
export { type MethodName, methods } from './methods.ts'
export { defaultTenant } from './names/default-tenant.ts'
export { mountName, nameInPath, readMountName, tenantOfName } from './names/mount-name.ts'
export { isName, namePattern } from './names/name-pattern.ts'
export { prefixOf } from './names/prefix-of.ts'
export { defaultNameLength, longestName, publicName } from './names/public-name.ts'
export { hasOriginal, originalUri, uriFor } from './names/public-uri.ts'
export { type ApprovedTools, judgeTool, pinnedTool, type ToolApproval } from './pinned-tool.ts'
export {
  type AddedAnswer,
  type AddedMethod,
  type AddedRequest,
  canonicalMethod,
  type Profile,
  type ResultShape,
  type ResultTime,
} from './profile.ts'
export { profiles } from './profiles.ts'
export { ftlProfile } from './profiles/ftl.ts'
export { mcpProfile } from './profiles/mcp.ts'
export { n8nProfile } from './profiles/n8n.ts'
export { saasProfile } from './profiles/saas.ts'
export { type Era, eraOf, isAtLeast, isRevision, latestHandshake, type Revision, revisions } from './revision.ts'
export { judgeClientRequest, type ClientRequestVerdict } from './revisions/ask-gate.ts'
export { clientCapabilitiesFor, elicitationModes, serverCapabilitiesFor } from './revisions/capabilities.ts'
export { declares } from './revisions/declares.ts'
export { type AskedClient, downgradeAnswer, downgradeClientRequest } from './revisions/downgrade-client-request.ts'
export { downgradeListItem, type ListedKind } from './revisions/downgrade-list-item.ts'
export { fitBlock } from './revisions/content-block.ts'
export { embedCustom, embeddedBlock } from './revisions/custom-content.ts'
export { downgradeResult } from './revisions/downgrade-result.ts'
export { allows, type Feature } from './revisions/gates.ts'
export { type PassedExtensions, receivedCapabilities } from './revisions/received-capabilities.ts'
export {
  canBeAsked,
  relayedCapabilities,
  sharedCapabilities,
  showsViews,
  takesTasks,
} from './revisions/relayed-capabilities.ts'
export { isMcpMethod, methodGate, type Side } from './revisions/method-gate.ts'
export { negotiate, revisionOf } from './revisions/negotiate.ts'
export { rpcMethods } from './rpc-methods.ts'
export { encodeHeaderText } from './stateless/header-text.ts'
export { judgeMirrors, mirroredName } from './stateless/judge-mirrors.ts'
export { readRequestMeta, type RequestMeta } from './stateless/request-meta.ts'
export { completeResult } from './stateless/complete-result.ts'
export { printQuestions } from './stateless/print-questions.ts'
export { readQuestions } from './stateless/read-questions.ts'
export { type ServerMeta, serverMeta, statelessResult } from './stateless/stateless-result.ts'
export {
  judgeParameterHeaders,
  type ParameterHeader,
  type ParameterHeaders,
  parameterHeaderValues,
  readParameterHeaders,
} from './stateless/parameter-headers.ts'
export { anyArguments } from './any-arguments.ts'
export { bearerChallenge } from './bearer-challenge.ts'
export { resourceMetadataUrl, wellKnownResource } from './well-known-resource.ts'
