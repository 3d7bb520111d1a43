import type { ReactNode } from 'react'
import { TableScroll } from './basics.tsx'

/**
 * A table whose rows become cards on a phone: there each cell says by `data-label` what it is. `hasActions`: the last
 * column holds buttons and needs no name to be seen.
 */
export function DataTable({
  label,
  head,
  hasActions = false,
  children,
}: {
  label: string
  head: readonly string[]
  hasActions?: boolean
  children: ReactNode
}) {
  return (
    <TableScroll label={label} cards>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {hasActions ? (
              <th scope="col">
                <span className="unseen">Actions</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </TableScroll>
  )
}
