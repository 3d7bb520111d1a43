import type { z } from 'zod'
import type { AccountRouteName, accountEndpoints } from '../src/contract/account-endpoints.ts'
import type { ApiEndpoint } from '../src/contract/endpoints.ts'

/** Types of requests and responses by route, from the contract: a path or a shape cannot drift from the service. */

type PublicRouteName = ApiEndpoint['route']

/** Name of a request, such as `GET /api/manage/keys` or `POST /account/sign-in`. */
export type ApiRouteName = PublicRouteName | AccountRouteName
export type ReadRouteName = Extract<ApiRouteName, `GET ${string}`>

type PublicEndpoint<R extends ApiRouteName> = Extract<ApiEndpoint, { readonly route: R }>
type Value = string | number | boolean | null | undefined

/** A part of a request, with the input of its schema; not allowed without a schema. */
type Part<Name extends 'params' | 'body', Schema> = [Schema] extends [never]
  ? { readonly [N in Name]?: undefined }
  : z.ZodType extends Schema
    ? { readonly [N in Name]?: undefined }
    : { readonly [N in Name]: z.input<Schema> }

type SchemaAt<Endpoint, Name extends string> = Endpoint extends { readonly [N in Name]?: infer Schema } ? Schema : never

type PublicRequest<Endpoint extends ApiEndpoint> = Part<'params', SchemaAt<Endpoint, 'params'>> &
  Part<'body', SchemaAt<NonNullable<SchemaAt<Endpoint, 'body'>>, 'schema'>> & {
    readonly query?: Readonly<Partial<Record<keyof z.input<Endpoint['query']> & string, Value>>>
  }

type AccountRequest<Endpoint> = Part<'params', SchemaAt<Endpoint, 'params'>> & Part<'body', SchemaAt<Endpoint, 'body'>>

/** Parameters of the path, the query and the body of a request. */
export type ApiRequest<R extends ApiRouteName> = R extends AccountRouteName
  ? AccountRequest<(typeof accountEndpoints)[R]>
  : PublicRequest<PublicEndpoint<R>>

/** `data` of the response. */
export type ApiData<R extends ApiRouteName> = R extends AccountRouteName
  ? (typeof accountEndpoints)[R]['response'] extends infer Schema extends z.ZodType
    ? z.output<Schema>
    : never
  : z.output<PublicEndpoint<R>['response']> extends { readonly data: infer D }
    ? D
    : never
