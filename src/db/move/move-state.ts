import { conflict } from '../../lib/errors.ts'

/** Throws for a target that is not completely copied and for a source that was moved away. */
export function assertNotMoving(state: { readonly isFilling: boolean; readonly moved: string | undefined }): void {
  if (state.isFilling) throw conflict('half store', 'The store is being filled by a move that has not ended.')
  if (state.moved !== undefined) throw conflict('moved store', state.moved)
}
