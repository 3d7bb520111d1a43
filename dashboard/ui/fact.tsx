import type { ReactNode } from 'react'

/** A name and its value in a `dl`. */
export function Fact({ name, note, children }: { name: ReactNode; note?: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {note ? <dd className="figure-note">{note}</dd> : null}
    </div>
  )
}
