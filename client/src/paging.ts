import type { CursorMeta, HistoryMeta, PaginationMeta } from './generated.ts'
import type { ApiRequest } from './response.ts'

/** Position of a page: its number, the cursor of the next page, or both. */
export type PageMeta = PaginationMeta | CursorMeta | HistoryMeta

/** One page of a list. */
export type Page<Item, Meta extends PageMeta = PaginationMeta> = { readonly data: Item[]; readonly meta: Meta }

/** A list: await it for its first page, or go through all of it with `for await`. */
export type PagedRequest<Item, Meta extends PageMeta = PaginationMeta> = ApiRequest<Page<Item, Meta>> &
  AsyncIterable<Item> & {
    /** Page by page, from the requested one to the last. */
    pages(): AsyncIterable<Page<Item, Meta>>
  }

/** Query parameters of the next page. */
export type NextPage = { readonly page: number } | { readonly after: string }

function nextPage(meta: PageMeta): NextPage | undefined {
  if (!meta.has_next) return undefined
  if ('next_after' in meta) return meta.next_after === null ? undefined : { after: meta.next_after }
  return { page: meta.page + 1 }
}

/** `read` requests the page of the query, or the next one. */
export function paged<Item, Meta extends PageMeta>(
  read: (next?: NextPage) => ApiRequest<Page<Item, Meta>>,
): PagedRequest<Item, Meta> {
  const first = read()
  async function* pages(): AsyncGenerator<Page<Item, Meta>> {
    let page = await first
    yield page
    for (let next = nextPage(page.meta); next; next = nextPage(page.meta)) {
      page = await read(next)
      yield page
    }
  }
  async function* items(): AsyncGenerator<Item> {
    for await (const { data } of pages()) yield* data
  }
  return Object.assign(first, { pages, [Symbol.asyncIterator]: items })
}
