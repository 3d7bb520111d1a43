export type RawResponse = {
  readonly status: number
  readonly headers: Headers
  /** Quote it when you report a problem. */
  readonly requestId: string | undefined
}

type WithRaw<Data> = { readonly data: Data } & RawResponse

/** A call: await it for its data, or `withResponse()` for data, status, headers and request id. */
export type ApiRequest<Data> = Promise<Data> & { withResponse(): Promise<WithRaw<Data>> }

/** A call that returns a whole list: await it for an array, or go through it with `for await`. */
export type ListRequest<Item> = ApiRequest<Item[]> & AsyncIterable<Item>

export function apiRequest<Data>(response: Promise<WithRaw<Data>>): ApiRequest<Data> {
  const data = response.then((received) => received.data)
  return Object.assign(data, {
    withResponse() {
      // The caller handles the rejection of `response`; that of `data` is the same.
      data.catch(() => {})
      return response
    },
  })
}

export function listRequest<Item>(request: ApiRequest<Item[]>): ListRequest<Item> {
  return Object.assign(request, {
    async *[Symbol.asyncIterator]() {
      yield* await request
    },
  })
}
