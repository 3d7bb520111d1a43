/** Who made a change, as the audit trail names them. `personId` is null if no person was signed in. */
export type Actor = { readonly personId: string | null; readonly who: string }
