import type { ReactNode } from 'react'
import { TableScroll } from './table-scroll.tsx'

/**
 * Table whose rows become cards on phones, labelled by `data-label`. `hasActions`: adds a last column for buttons.
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
    <TableScroll label={label} asCards>
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
                <span className="visually-hidden">Actions</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </TableScroll>
  )
}
