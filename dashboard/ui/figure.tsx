/** One of the figures in a `dl`. */
export function Figure({ name, value, note }: { name: string; value: string; note?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
      {note ? <dd className="figure-note">{note}</dd> : null}
    </div>
  )
}
