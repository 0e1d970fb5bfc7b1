export { isLoopbackAddress, isLoopbackHost } from './admission-authority.ts'
export { judgeTarget } from './judge-target.ts'
export { type AdmissionRefusal, type AdmissionVerdict, admitted, quotedHeader } from './admission-verdict.ts'
export { type Admission, type AdmissionOptions, createAdmission } from './admission.ts'
export { atTime, longestTimerMs } from './at-time.ts'
export { secureUrl } from './secure-url.ts'
export { requestTarget } from './request-target.ts'
export { type ChannelLimits, defaultChannelLimits, defaultClientChannelLimits } from './channel-limits.ts'
export { ChannelSdkTransport } from './channel-sdk-transport.ts'
export { ClientConnection } from './client-connection.ts'
export type { CloseReason } from './close-reason.ts'
export { isAnswered, notificationOf } from './is-answered.ts'
export { judgeBatch } from './judge-batch.ts'
export { PeerWatch } from './peer-watch.ts'
export type { SideStream } from './round-sink.ts'
export type { SdkTransport } from './sdk-transport.ts'
export { ServedConnection } from './served-connection.ts'
export {
  createTrustedProxies,
  type RequestSource,
  type TrustedProxies,
  type TrustedProxiesOptions,
} from './trusted-proxies.ts'
export { createStreamShares, shareOf, type StreamShares, streamSharesOf } from './stream-shares.ts'
