import type { z } from 'zod'
import type { AppraisalItemWire, AppraisalWire } from '../src/contract/appraisal.ts'
import type { dashboardEndpoints } from '../src/contract/dashboard-endpoints.ts'
import type { DeviceWire } from '../src/contract/device.ts'
import type { ApiEndpoint } from '../src/contract/endpoints.ts'
import type { LookupBatchItemWire, LookupResultWire } from '../src/contract/lookups.ts'
import type { MatchWire } from '../src/contract/match.ts'
import type { VariantPricingWire } from '../src/contract/pricing.ts'
import type { RepairWire } from '../src/contract/repair.ts'
import type { WatchWire } from '../src/contract/watches.ts'

/** Types of requests and responses by path, from the contract: a path or a shape cannot drift from the service. */

type Endpoints = typeof dashboardEndpoints
type Method = 'GET' | 'POST'
type PathOf<M extends Method> = keyof Endpoints extends infer K
  ? K extends `${M} ${infer P}`
    ? P extends `${string}*`
      ? never
      : P
    : never
  : never
type WithQuery<P extends string> = P | `${P}?${string}`
type WithoutQuery<P extends string> = P extends `${infer Path}?${string}` ? Path : P

type ExplorePath = `/api/${string}`
export type GetPath = WithQuery<PathOf<'GET'>> | ExplorePath
export type PostPath = WithQuery<PathOf<'POST'>> | ExplorePath

type ExploreData = {
  'GET devices': DeviceWire[]
  [device: `GET devices/${string}`]: DeviceWire
  'GET pricing': VariantPricingWire
  'GET repairs': RepairWire
  'GET match': MatchWire
  'GET imei': LookupResultWire[]
  'POST imei': LookupResultWire
  'POST imei/batch': LookupBatchItemWire[]
  [appraisal: `GET appraisals/${string}`]: AppraisalWire
  'POST appraisals': AppraisalWire
  'POST appraisals/batch': AppraisalItemWire[]
  'GET watches': WatchWire[]
  'POST watches': WatchWire
}

type SchemaData<K extends string> = K extends keyof Endpoints
  ? Endpoints[K]['response'] extends z.ZodType
    ? z.infer<Endpoints[K]['response']>
    : never
  : never
type Data<M extends Method, P extends string> = P extends `/api/${infer Rest}`
  ? `${M} ${WithoutQuery<Rest>}` extends infer K extends keyof ExploreData
    ? ExploreData[K]
    : never
  : SchemaData<`${M} ${WithoutQuery<P>}`>

/** `data` of the response of a GET. */
export type GetData<P extends GetPath> = Data<'GET', P>
/** `data` of the response of a POST. */
export type PostData<P extends PostPath> = Data<'POST', P>

/** JSON body of a POST. */
export type PostBody<P extends PostPath> = `POST ${WithoutQuery<P>}` extends infer K extends keyof Endpoints
  ? Endpoints[K] extends { readonly body: infer B extends z.ZodType }
    ? z.input<B>
    : object
  : object

type EndpointOf<R extends ApiRouteName> = Extract<ApiEndpoint, { readonly route: R }>
type Value = string | number | boolean | null | undefined

/** Name of an operation of the API, such as `GET /api/manage/keys`. */
export type ApiRouteName = ApiEndpoint['route']

/** Parameters of the path, the query and the body of an operation. */
export type ApiRequest<R extends ApiRouteName> = (EndpointOf<R> extends { readonly params?: infer P extends z.ZodType }
  ? z.ZodType extends P
    ? { readonly params?: undefined }
    : { readonly params: z.input<P> }
  : unknown) &
  (EndpointOf<R> extends { readonly body?: { readonly schema: infer B extends z.ZodType } }
    ? z.ZodType extends B
      ? { readonly body?: undefined }
      : { readonly body: z.input<B> }
    : unknown) & {
    readonly query?: Readonly<Partial<Record<keyof z.input<EndpointOf<R>['query']> & string, Value>>>
  }

/** `data` of the response of an operation. */
export type ApiData<R extends ApiRouteName> =
  z.output<EndpointOf<R>['response']> extends { readonly data: infer D } ? D : never
