import { conflict } from '../../lib/errors.ts'

/** Nothing may be read from half a store or written to one that nobody looks at any more. */
export function assertNotMoving(state: { readonly isFilling: boolean; readonly moved: string | undefined }): void {
  if (state.isFilling) throw conflict('half store', 'The store is being filled by a move that has not ended.')
  if (state.moved !== undefined) throw conflict('moved store', state.moved)
}
