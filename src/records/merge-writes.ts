import type { RecordWrites } from './record-store.ts'

/** Several writes as one. */
export const mergeWrites = (writes: readonly RecordWrites[]): RecordWrites => ({
  tables: writes.flatMap(({ tables }) => tables),
  totals: writes.flatMap(({ totals }) => totals),
  statements: writes.flatMap(({ statements }) => statements ?? []),
  events: writes.flatMap(({ events }) => events ?? []),
  ownPriceChanges: writes.flatMap(({ ownPriceChanges }) => ownPriceChanges ?? []),
})
