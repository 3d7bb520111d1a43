export {
  type Attempt,
  type CallOptions,
  type ClientOptions,
  DeviceIntelligence,
  type Retry,
  VERSION,
} from './client.ts'
export * from './errors.ts'
export type * from './generated.ts'
export type { Page, PagedRequest, PageMeta } from './paging.ts'
export type { ApiRequest, ListRequest, RawResponse } from './response.ts'
export { type VerifyOptions, verifyWebhook, type WebhookHeaders, WebhookVerificationError } from './webhook.ts'
